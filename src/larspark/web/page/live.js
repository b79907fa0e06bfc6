// Where answers come from: the data of a report, or a server that goes on.

import { button, el, fill, framed } from "./dom.js";

// A report answers what was asked when it was written, and says how to ask the rest.
export class StaticHost {
  constructor(page, picture, asked) {
    this.page = page;
    this.asked = asked;
    this.proofs = picture.proofs || [];
    this.command = picture.ask || "";
    this.live = false;
    this.can = {};
    this.bar = null;
  }

  async ask(kind, atom, at, about) {
    const same = (one) => one.question.ask === kind && one.question.atom === atom && (one.question.about ?? null) === about;
    const lane = this.page.store.byAtom.get(atom);
    const found = this.proofs.find((one) => same(one) && one.question.at === at)
      || this.proofs.find((one) => same(one) && kind === "why" && about === null && lane
        && lane.covering(one.question.at) >= 0 && lane.covering(one.question.at) === lane.covering(at));
    if (found) return found;
    if (this.asked) return this.asked(kind, atom, at, about);
    const spelled = about === null ? atom : `@${about} ${atom}`;
    return { message: "This report does not have that answer. It is asked for with:", hint: `larspark ${kind} '${spelled}' ${this.command} --at ${at}` };
  }
}

export class LiveHost {
  constructor(page, picture) {
    this.page = page;
    this.live = true;
    this.can = picture.can;
    this.waiting = [];
    this.applied = framed(() => this.take());
    this.bar = this.can.control ? this.controls() : this.watching();
    this.reset(picture);
    this.connect();
    document.addEventListener("visibilitychange", () => (document.hidden ? this.source.close() : this.connect()));
  }

  // -- what the server says ------------------------------------------------------------------------

  // A browser has few connections to one server: pages that nobody looks at give theirs back, and go on later.
  connect() {
    clearTimeout(this.retry);
    this.source?.close();
    this.source = new EventSource(`events?after=${encodeURIComponent(this.id)}&run=${encodeURIComponent(this.run)}`);
    this.source.onmessage = (event) => {
      this.waiting.push(JSON.parse(event.data));
      this.id = event.lastEventId;
      this.applied();
    };
    this.source.addEventListener("reset", () => this.reload());
    this.source.addEventListener("state", (event) => this.say(JSON.parse(event.data)));
    this.source.onopen = () => this.status("live");
    this.source.onerror = () => {
      this.status("waiting for the server…");
      if (this.source.readyState === EventSource.CLOSED) this.again();
    };
  }

  again() {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.connect(), 1000);
  }

  async reload() {
    this.source.close();
    try {
      const picture = await (await fetch("picture")).json();
      this.waiting = [];
      this.reset(picture);
      this.page.load(picture);
      this.connect();
    } catch {
      this.status("waiting for the server…");
      clearTimeout(this.retry);
      this.retry = setTimeout(() => this.reload(), 1000);
    }
  }

  reset(picture) {
    [this.id, this.run, this.can] = [picture.id, picture.run, picture.can];
    this.countedAt = null; // rules may be others now
    this.say(picture.state);
  }

  take() {
    const { page } = this, events = this.waiting;
    this.waiting = [];
    for (const event of events) page.store.apply(event);
    this.taken = (this.taken || 0) + events.length;
    page.arrived();
  }

  say(state) {
    this.state = state;
    this.page.accounts = { ...this.page.accounts, ...state.accounts };
    if (state.counts) this.page.counts = state.counts;
    if (this.play) {
      fill(this.play, state.playing ? "Pause" : "Play");
      this.play.setAttribute("aria-pressed", String(state.playing));
      this.play.disabled = !state.playing && !state.pending;
      this.next.disabled = state.playing;
    }
    this.page.changed();
  }

  status(text) {
    fill(this.told, text);
    this.told.classList.toggle("off", text !== "live");
  }

  // -- what is asked -------------------------------------------------------------------------------

  async post(path, body = {}, signal = null) {
    try {
      const answer = await fetch(path, {
        method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal,
      });
      return await answer.json();
    } catch {
      return { message: "The server does not answer." };
    }
  }

  ask(kind, atom, at, about) {
    return this.post(kind, { atom: about === null ? atom : `@${about} ${atom}`, at });
  }

  foresee(goal, horizon) {
    return this.post("foresee", { goal, horizon });
  }

  check(text) {
    return this.post("check", { text });
  }

  preview(text, signal) {
    return this.post("preview", { text }, signal);
  }

  apply(text) {
    return this.post("apply", { text });
  }

  async counts() {
    const at = this.page.store.marks;
    if (this.counting || this.countedAt === at || !this.can.ask) return;
    this.counting = true;
    const began = performance.now(), { run } = this;
    const answer = await this.post("counts");
    if (run === this.run) {
      this.countedAt = at;
      if (answer.counts) this.page.counts = answer.counts;
    }
    setTimeout(() => {
      this.counting = false;
      this.page.changed();
    }, Math.max(700, 5 * (performance.now() - began))); // counting is an evaluation: it is not asked for all the time
    this.page.changed();
  }

  // -- controls ------------------------------------------------------------------------------------

  watching() {
    this.told = el("span", { class: "status" }, "…");
    return el("footer", { class: "bar" }, this.told);
  }

  controls() {
    this.told = el("span", { class: "status", role: "status" }, "…");
    this.problem = el("span", { class: "problem", role: "alert" });
    const act = (path, body) => async () => this.heard(await this.post(path, body ? body() : {}));
    this.play = button("Play", () => this.toggle(), { title: "space" });
    this.next = button("Step", act("step"), { title: "right arrow at the end" });
    this.speed = el("select", { "aria-label": "Speed", onchange: () => this.state.playing && this.startPlaying() },
      ...[["1", "1×"], ["10", "10×"], ["100", "100×"], ["", "as fast as it goes"]].map(([value, name]) =>
        el("option", { value }, name)));
    this.back = button("Go back to cursor", act("back", () => ({ time: this.page.cursor })), {
      title: "What came after the cursor will come again",
    });
    this.atoms = el("input", { type: "text", class: "code wide", placeholder: this.page.example, "aria-label": "Atoms to send" });
    this.time = el("input", { type: "number", min: "0", placeholder: "now", "aria-label": "Time point" });
    const send = async (event) => {
      event.preventDefault();
      const answer = await this.post("send", { atoms: this.atoms.value, time: this.time.value === "" ? null : Number(this.time.value) });
      if (this.heard(answer)) this.atoms.value = "";
    };
    const advance = async () => {
      const time = this.time.value === "" ? this.page.store.end + 1 : Number(this.time.value);
      if (this.heard(await this.post("advance", { time }))) this.time.value = "";
    };
    return el("footer", { class: "bar" },
      this.play, this.next, this.speed, this.back,
      el("form", { class: "send", onsubmit: send }, this.atoms, el("label", {}, "at ", this.time),
        el("button", { type: "submit" }, "Send"), button("Advance", advance)),
      this.problem, this.told);
  }

  heard(answer) {
    const wrong = answer.message || answer.diagnostics?.map((one) => `${one.message} ${one.hint || ""}`).join(" ");
    fill(this.problem, wrong || "");
    return !wrong;
  }

  startPlaying() {
    return this.post("play", { speed: this.speed.value === "" ? null : Number(this.speed.value) });
  }

  async toggle() {
    this.heard(await (this.state.playing ? this.post("pause") : this.startPlaying()));
  }

  async step() {
    if (this.can.control && !this.state.playing) this.heard(await this.post("step"));
  }
}
