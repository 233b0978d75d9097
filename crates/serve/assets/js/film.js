// A film on canvases: one for each view.

import { context, make, setText } from "./dom.js";
import { dot, forces, grid, lengths, line, polygons, scaleBar, clip } from "./draw.js";
import { bodyColor, colors } from "./theme.js";
import { View } from "./view.js";

/** Frames whose traces are drawn behind points. */
const TRACE = 400;
/** A usual force, and the longest one, are drawn so long: parts of the height. */
const [USUAL, LONGEST] = [0.13, 0.34];

/** The middle one of the forces of a film: impacts are far above it. */
function usual(largest) {
  const acting = largest.filter((newtons) => newtons > 0).sort((a, b) => a - b);
  return acting[Math.floor(acting.length / 2)] ?? 1;
}

export class Film {
  /** Makes a figure for each view of the film that the server sent. */
  constructor(film, title) {
    this.film = film;
    this.usual = film.views.map((_, v) => usual(film.frames.map((frame) => Math.max(0, ...frame.arrows[v].map((arrow) => Math.hypot(...arrow.force))))));
    this.figures = film.views.map((view) => {
      const canvas = make("canvas", { role: "img", "aria-label": `${title}: ${view.title}` });
      const note = make("span", { class: "lengths" });
      return { view, canvas, note, figure: make("figure", {}, make("figcaption", {}, view.title, note), canvas) };
    });
  }

  elements() {
    return this.figures.map((figure) => figure.figure);
  }

  last() {
    return this.film.frames.length - 1;
  }

  draw(k) {
    const at = Math.min(k, this.last());
    this.figures.forEach((figure, v) => this.drawView(figure, v, at));
  }

  drawView({ view, canvas, note }, v, k) {
    if (canvas.clientWidth === 0) return;
    const { pen, width, height } = context(canvas);
    const eye = new View();
    eye.show(view.low, view.high);
    eye.fit(width, height);
    const step = grid(pen, eye, width, height);
    for (const planes of view.solids) {
      const solid = planes.reduce((polygon, plane) => clip(polygon, plane), eye.corners(width, height));
      if (solid.length > 2) polygons(pen, [solid.map((p) => eye.pixel(p))], colors.wall, colors.soft, 1);
    }
    for (const points of view.lines) line(pen, points.map((p) => eye.pixel(p)), colors.soft, 1.5);
    const { poses, arrows } = this.film.frames[k];
    view.bodies.forEach((body, b) => this.drawBody(pen, eye, body, b, v, k, poses[v][b]));
    const drawn = arrows[v].map((arrow) => {
      const newtons = Math.hypot(...arrow.force);
      const part = (USUAL * newtons) / this.usual[v];
      const length = Math.min(LONGEST, part) * height;
      return {
        at: eye.pixel(arrow.at),
        along: [(arrow.force[0] / newtons) * length, (-arrow.force[1] / newtons) * length],
        newtons,
        cut: part > LONGEST,
      };
    });
    const said = lengths(forces(pen, drawn, true));
    setText(note, said ? ` ${said}` : "");
    scaleBar(pen, eye, step, width, height);
  }

  drawBody(pen, eye, body, b, v, k, [x, y, angle, stretchX, stretchY]) {
    const color = bodyColor(b);
    const trace = this.film.frames.slice(Math.max(0, k - TRACE), k + 1).map((frame) => eye.pixel(frame.poses[v][b]));
    pen.globalAlpha = 0.45;
    line(pen, trace, color, 1.2, [2, 3]);
    pen.globalAlpha = 1;
    if (body.outline.length === 0) {
      trace.forEach((p, step) => step < trace.length - 1 && this.last() <= 60 && dot(pen, p, 2, color));
      return dot(pen, eye.pixel([x, y]), 7, color);
    }
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    const outline = body.outline.map(([px, py]) => {
      const [a, c] = [px * stretchX, py * stretchY];
      return eye.pixel([x + cos * a - sin * c, y + sin * a + cos * c]);
    });
    pen.globalAlpha = 0.24;
    polygons(pen, [outline], color, null);
    pen.globalAlpha = 1;
    polygons(pen, [outline], null, color, 2);
    if (body.round) line(pen, [eye.pixel([x, y]), outline[0]], color, 1.5);
  }
}
