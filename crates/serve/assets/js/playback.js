// Play, pause, step and scrub: a film's buttons and slider, whose names begin alike, and its clock.

import { $, setText } from "./dom.js";

export class Playback {
  /**
   * `film`: `last()`, its last frame so far; `time(k)`, s; `draw(k)`; `rest()`, called when it stands still; and
   * `grows()`, whether frames are still to come.
   */
  constructor(name, film) {
    this.name = name;
    this.film = film;
    this.step = 0;
    this.playing = false;
    this.part("play").addEventListener("click", () => this.toggle());
    this.part("back").addEventListener("click", () => this.turn(-1));
    this.part("forth").addEventListener("click", () => this.turn(1));
    this.part("slider").addEventListener("input", () => {
      this.pause();
      this.go(Number(this.part("slider").value));
    });
  }

  part(name) {
    return $(`${this.name}-${name}`);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Pauses, and goes on or back by some frames. */
  turn(frames) {
    this.pause();
    this.go(this.step + frames);
    this.film.rest();
  }

  play() {
    if (this.film.last() < 1 && !this.film.grows()) return;
    if (this.step >= this.film.last() && !this.film.grows()) this.go(0);
    this.playing = true;
    this.face();
    let clock = performance.now();
    let due = this.film.time(this.step);
    const tick = (now) => {
      if (!this.playing) return;
      due += ((now - clock) / 1000) * Number(this.part("speed").value);
      clock = now;
      let next = this.step;
      while (next < this.film.last() && this.film.time(next + 1) <= due) next += 1;
      if (next !== this.step) this.go(next);
      if (this.step >= this.film.last()) {
        if (!this.film.grows()) return this.pause();
        // Time waits for the frame that is not there yet.
        due = Math.min(due, this.film.time(this.step));
      }
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    this.playing = false;
    this.face();
    this.film.rest();
  }

  face() {
    this.part("play").dataset.on = String(this.playing);
    setText(this.part("play-text"), this.playing ? "Pause" : "Play");
  }

  /** Shows a frame. */
  go(k) {
    const last = this.film.last();
    this.step = Math.min(last, Math.max(0, k));
    const slider = this.part("slider");
    slider.max = String(last);
    slider.value = String(this.step);
    const seconds = this.film.time(this.step).toFixed(4);
    slider.setAttribute("aria-valuetext", `step ${this.step} of ${last}, ${seconds} seconds`);
    setText(this.part("time"), `step ${this.step} of ${last}, t = ${seconds} s`);
    this.film.draw(this.step);
  }
}
