// The connection: comes back by itself, later and later, and says so.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
/** The server gives a sign of life every 4 s. */
const SILENCE = 13000;

export class Link {
  /** `on`: { state(name, seconds), open(again), message(object) }. */
  constructor(on) {
    this.on = on;
    this.wait = FIRST_WAIT;
    this.opened = 0;
    this.parting = null;
    this.socket = null;
    this.timer = 0;
    setInterval(() => this.watch(), 1000);
    window.addEventListener("online", () => this.now());
  }

  connect() {
    clearTimeout(this.timer);
    this.on.state("connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket = socket;
    this.heard = Date.now();
    this.parting = null;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.on.state("open");
      this.opened += 1;
      this.on.open(this.opened > 1);
    };
    socket.onmessage = (event) => {
      this.heard = Date.now();
      const message = JSON.parse(event.data);
      if (message.type === "bye") this.parting = message;
      this.on.message(message);
    };
    socket.onclose = () => this.lost(socket);
  }

  lost(socket) {
    if (socket !== this.socket) return;
    this.socket = null;
    const full = this.parting && this.parting.reason === "full";
    const wait = full ? LONGEST_WAIT : this.wait;
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    // Not all pages of a server that restarts come back at the same moment.
    const later = wait * (0.8 + 0.4 * Math.random());
    this.due = Date.now() + later;
    this.on.state("lost", later / 1000, this.parting);
    this.timer = setTimeout(() => this.connect(), later);
  }

  /** Connects at once instead of later. */
  now() {
    if (!this.socket) this.connect();
  }

  watch() {
    if (!this.socket) {
      const left = (this.due - Date.now()) / 1000;
      if (left > 0) this.on.state("lost", left, this.parting);
    } else if (Date.now() - this.heard > SILENCE) {
      const socket = this.socket;
      socket.onclose = null;
      socket.close();
      this.lost(socket);
    }
  }

  /** Sends a message; nothing happens while the connection is lost. */
  send(message) {
    if (this.socket && this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify(message));
      return true;
    }
    return false;
  }
}
