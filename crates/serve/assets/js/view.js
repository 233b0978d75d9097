// Between metres and pixels.

export class View {
  constructor() {
    this.low = [-1, -1];
    this.high = [1, 1];
    this.scale = 1;
    this.origin = [0, 0];
  }

  /** Shows at least the box from low to high. */
  show(low, high) {
    this.low = [...low];
    this.high = [...high];
  }

  /** Grows, up to a limit, so that a point is seen. */
  include([x, y], limit) {
    const p = [x, y];
    for (const k of [0, 1]) {
      if (p[k] < this.low[k]) this.low[k] = Math.max(p[k], limit.low[k]);
      if (p[k] > this.high[k]) this.high[k] = Math.min(p[k], limit.high[k]);
    }
  }

  /** Fits the box into a canvas of that size. */
  fit(width, height) {
    const [w, h] = [this.high[0] - this.low[0], this.high[1] - this.low[1]];
    this.scale = Math.min(width / w, height / h);
    this.origin = [
      width / 2 - (this.scale * (this.low[0] + this.high[0])) / 2,
      height / 2 + (this.scale * (this.low[1] + this.high[1])) / 2,
    ];
  }

  pixel([x, y]) {
    return [this.origin[0] + this.scale * x, this.origin[1] - this.scale * y];
  }

  metre([x, y]) {
    return [(x - this.origin[0]) / this.scale, (this.origin[1] - y) / this.scale];
  }

  /** The corners of a canvas of that size in metres, counter-clockwise. */
  corners(width, height) {
    return [[0, height], [width, height], [width, 0], [0, 0]].map((p) => this.metre(p));
  }
}

/** A point of a body's outline in the world. */
export function placed([x, y], position, angle) {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return [position[0] + cos * x - sin * y, position[1] + sin * x + cos * y];
}

/** The box around points, or null. */
export function box(points) {
  if (points.length === 0) return null;
  const along = (k) => points.map((p) => p[k]);
  return {
    low: [Math.min(...along(0)), Math.min(...along(1))],
    high: [Math.max(...along(0)), Math.max(...along(1))],
  };
}
