// The page: one module for reports, the live server and notebooks. `mount(element, picture)` is all there is to call.

import { Accounts } from "./accounts.js";
import { Axis } from "./axis.js";
import { button, el, fill, framed, number } from "./dom.js";
import { Held } from "./held.js";
import { Outlook } from "./foresight.js";
import { Graph } from "./graph.js";
import { LiveHost, StaticHost } from "./live.js";
import { Panel } from "./panel.js";
import { Rows } from "./rows.js";
import { Rules, differences } from "./rules.js";
import { Store } from "./store.js";
import { Table } from "./table.js";
import { Theme } from "./theme.js";
import { Timeline } from "./timeline.js";
import { spanOf } from "./windows.js";

const KEYS = [["space", "play or pause"], ["← →", "cursor (with shift: ten)"], ["↑ ↓", "atom"], ["w", "why"],
  ["n", "why not"], ["+ −", "zoom"], ["0", "everything"], ["/", "search"], ["t", "table"], ["Esc", "close"]];

class Page {
  constructor(root, picture, ask) {
    this.root = root;
    this.theme = new Theme(root);
    this.changed = framed(() => this.render());
    this.recoloured = () => this.coloured();
    this.read(picture);
    this.host = picture.live ? new LiveHost(this, picture) : new StaticHost(this, picture, ask);
    this.whole();
    this.build(picture);
    if (picture.selected && this.store.byAtom.has(picture.selected)) {
      this.select(this.store.byAtom.get(picture.selected));
      this.answer = (picture.proofs || [])[0] || null;
      this.chooseRuleOf(this.answer);
    }
    this.render();
  }

  read(picture) {
    this.picture = picture;
    this.store = new Store(picture);
    this.axis = new Axis(picture.calendar);
    this.rows = new Rows(this.store);
    this.held = new Held(this.store, picture.program.holds);
    this.program = picture.program;
    this.counts = picture.counts || picture.state?.counts || null;
    this.prospects = picture.prospects;
    this.accounts = picture.accounts;
    this.cursor = picture.cursor ?? picture.end;
    this.selected = null;
    this.answer = null;
    this.asked = 0;
    this.rule = null;
    this.spans = null;
  }

  // Another state of the server: what is looked at stays where it is.
  load(picture) {
    const { selected, view, cursor, rows } = this, following = this.following;
    this.read(picture);
    this.rows.search = rows.search;
    this.rows.groupBy(rows.byKey);
    this.cursor = following ? this.store.end : Math.min(cursor, this.store.end);
    this.view = view;
    this.selected = selected ? this.store.byAtom.get(selected.atom) || null : null;
    this.render();
  }

  build(picture) {
    this.timeline = new Timeline(this);
    this.table = new Table(this);
    this.panel = new Panel(this);
    this.screens = [
      { name: "Timeline", part: this.timeline }, { name: "Table", part: this.table }, { name: "Rules", part: new Rules(this) },
      { name: "Graph", part: new Graph(this) }, { name: "Foresight", part: new Outlook(this) },
      { name: "Accounts", part: new Accounts(this) },
    ];
    if (picture.differences) this.screens.splice(1, 0, { name: "Differences", part: new Listed(this, picture.differences) });
    this.tabs = el("nav", { class: "tabs", role: "tablist", "aria-label": "Screens" }, ...this.screens.map((screen) =>
      (screen.tab = button(screen.name, () => this.open(screen), { role: "tab" }))));
    this.search = el("input", { type: "search", placeholder: "Search atoms", "aria-label": "Search atoms",
      oninput: () => this.find(this.search.value) });
    this.matches = el("span", { class: "muted matches", role: "status" });
    this.grouping = el("select", { "aria-label": "Group lanes by", class: "quiet", onchange: () => this.group(this.grouping.value) },
      el("option", { value: "predicate" }, "by predicate"), el("option", { value: "key" }, "by key"));
    this.main = el("div", { class: "main" });
    this.help = el("dialog", { class: "help", "aria-label": "Keys" }, el("h2", {}, "Keys"),
      el("dl", {}, ...KEYS.flatMap(([key, says]) => [el("dt", {}, key), el("dd", {}, says)])),
      button("Close", () => this.help.close()));
    this.root.classList.add("larspark");
    fill(this.root, el("header", {},
      el("h1", {}, picture.title), this.tabs, this.search, this.matches, this.grouping,
      button("Theme", () => this.turn(), { class: "quiet", "aria-label": "Light or dark" }),
      button("?", () => this.help.showModal(), { class: "quiet", "aria-label": "Keys" })),
    this.main, this.host.bar || "", this.help);
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", this.recoloured);
    this.theme.read();
    const wanted = { foresee: "Foresight", diff: "Differences" }[picture.command];
    this.open(this.screens.find((screen) => screen.name === wanted) || this.screens[0]);
  }

  open(screen) {
    this.screen = screen;
    for (const one of this.screens) one.tab.setAttribute("aria-selected", String(one === screen));
    const beside = ["Timeline", "Table", "Differences"].includes(screen.name);
    fill(this.main, screen.part.element, beside ? this.panel.element : null);
    this.main.classList.toggle("beside", beside);
    this.render(); // at once: what is typed into it must not meet a text that is filled in later
  }

  render() {
    this.screen.part.render();
    this.panel.render();
  }

  // -- time ----------------------------------------------------------------------------------------

  get following() {
    return this.cursor >= this.store.end;
  }

  whole() {
    const { start, end, horizon } = this.store, room = Math.max(2, (end - start) * 0.03);
    this.view = { from: start - room, to: Math.max(end, Math.min(horizon, 2 * end - start)) + 1 + room };
    this.changed();
  }

  zoom(factor, around = this.cursor + 0.5) {
    const { from, to } = this.view, whole = this.store.end - this.store.start + 1;
    const span = Math.min(Math.max((to - from) * factor, 5), whole * 2.2 + 20);
    const share = (around - from) / (to - from);
    this.view = { from: around - share * span, to: around + (1 - share) * span };
    this.pan(0);
  }

  pan(distance, view = this.view) {
    const span = view.to - view.from, room = span * 0.4;
    const from = Math.min(Math.max(view.from + distance, this.store.start - room), this.store.end + 1 + room - span * 0.6);
    this.view = { from, to: from + span };
    this.changed();
  }

  centre(time) {
    const span = this.view.to - this.view.from;
    this.pan(0, { from: time - span / 2, to: time + span / 2 });
  }

  setCursor(time) {
    const cursor = Math.min(Math.max(time, this.store.start), this.store.end);
    if (cursor === this.cursor) return;
    this.cursor = cursor;
    this.answer = null;
    this.asked++;
    if (cursor < this.view.from || cursor + 1 > this.view.to) this.centre(cursor);
    this.changed();
  }

  // New data has been applied: the cursor stays at the end if it was there, and the view goes with it.
  arrived() {
    if (this.wasAtEnd === undefined || this.cursor >= this.wasAtEnd) {
      this.cursor = this.store.end;
      const span = this.view.to - this.view.from;
      if (this.cursor + 1 > this.view.to - span * 0.02)
        this.view = { from: this.cursor + 1 - span * 0.9, to: this.cursor + 1 + span * 0.1 };
    }
    this.wasAtEnd = this.store.end;
    this.changed();
  }

  // -- atoms and rules -----------------------------------------------------------------------------

  select(lane) {
    if (lane !== this.selected) this.answer = null;
    this.selected = lane;
    this.asked++;
    this.changed();
  }

  goTo(atom, time) {
    const lane = this.store.byAtom.get(atom);
    if (!lane) return;
    this.setCursor(time);
    this.rows.reveal(lane);
    this.select(lane);
    this.open(this.screens[0]);
  }

  find(text) {
    this.rows.search = text;
    this.rows.update();
    fill(this.matches, text ? `${number(this.rows.matches)} of ${number(this.store.lanes.length)}` : "");
    this.timeline.scroller.scrollTop = 0;
    this.changed();
  }

  // A lane for each atom, under its predicate, or under what it is about: its first argument.
  group(by) {
    this.rows.groupBy(by === "key");
    this.timeline.scroller.scrollTop = 0;
    this.changed();
  }

  // An atom that could arrive.
  get example() {
    const known = this.store.predicates.find((one) => one.input)?.name || "a/0", cut = known.lastIndexOf("/");
    const values = Array.from({ length: Number(known.slice(cut + 1)) }, (_, place) => "xyzuvw"[place % 6]);
    return known.slice(0, cut) + (values.length ? `(${values.join(", ")})` : "");
  }

  lanesOf(predicate) {
    return this.store.lanes.filter((lane) => lane.predicate === predicate);
  }

  chooseRule(index) {
    this.rule = index;
    this.changed();
  }

  chooseRuleOf(answer) {
    const rule = answer?.json?.nodes?.[0]?.rule ?? answer?.json?.candidates?.[0]?.rule;
    if (rule) this.chooseRule(rule.index);
  }

  // The windows of the chosen rule over a predicate, as they lie at the cursor.
  windows(predicate) {
    const rule = this.rule === null ? null : this.program.rules[this.rule];
    const key = `${this.rule} ${this.cursor} ${this.store.marks}`;
    if (this.spans?.key !== key) this.spans = { key, found: new Map() };
    const { found } = this.spans;
    if (!found.has(predicate)) {
      const reads = rule ? rule.reads.filter((read) => read.predicate === predicate && read.windows) : [];
      const drawn = new Map(reads.map((read) => [read.window, spanOf(read, this.store, this.cursor)]));
      found.set(predicate, [...drawn.values()].filter(Boolean));
    }
    return found.get(predicate);
  }

  // -- questions -----------------------------------------------------------------------------------

  explain(lane, at) {
    this.rows.reveal(lane);
    this.select(lane);
    if (this.store.predicates[lane.predicate].derived) this.ask("why", at);
  }

  explainAt(time) {
    this.setCursor(time);
    this.ask(this.selected?.covering(this.cursor) >= 0 ? "why" : "why-not");
  }

  async ask(kind, at) {
    const lane = this.selected;
    if (!lane || (this.host.live && !this.host.can.ask)) return;
    const pins = lane.pinnedFrom(this.cursor);
    const about = at ?? (lane.covering(this.cursor) < 0 && kind === "why" ? pins[0] : undefined) ?? null;
    this.answer = { pending: true };
    const turn = ++this.asked;
    this.changed();
    const answer = await this.host.ask(kind, lane.atom, this.cursor, about);
    if (turn !== this.asked) return;
    const told = answer.diagnostics?.map((one) => `${one.message} ${one.hint || ""}`).join(" ");
    this.answer = told ? { message: told } : answer;
    this.asked++;
    this.chooseRuleOf(answer);
    this.changed();
  }

  // -- keys ----------------------------------------------------------------------------------------

  key(event) {
    if (event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const far = event.shiftKey ? 10 : 1;
    const actions = {
      " ": () => (event.target.matches("button, summary") ? null : this.play() ?? true),
      ArrowLeft: () => this.setCursor(this.cursor - far) ?? true,
      ArrowRight: () => (this.following && this.host.live ? this.host.step() : this.setCursor(this.cursor + far)) ?? true,
      ArrowUp: () => this.timeline.step(-1) ?? true,
      ArrowDown: () => this.timeline.step(1) ?? true,
      w: () => this.ask("why") ?? true,
      n: () => this.ask("why-not") ?? true,
      "+": () => this.zoom(0.7) ?? true,
      "=": () => this.zoom(0.7) ?? true,
      "-": () => this.zoom(1.4) ?? true,
      0: () => this.whole() ?? true,
      Home: () => this.setCursor(this.store.start) ?? true,
      End: () => this.setCursor(this.store.end) ?? true,
      "/": () => this.search.focus() ?? true,
      t: () => this.open(this.screens.find((one) => one.part === (this.screen.part === this.table ? this.timeline : this.table))) ?? true,
      Escape: () => this.select(null) ?? true,
      "?": () => this.help.showModal() ?? true,
    };
    if (actions[event.key]?.()) event.preventDefault();
  }

  // A report plays what was recorded, a server goes on.
  play() {
    if (this.host.live) {
      this.host.toggle?.();
      return;
    }
    if (this.playing) {
      clearInterval(this.playing);
      this.playing = null;
      return;
    }
    if (this.following) this.setCursor(this.store.start);
    const stride = Math.max(1, Math.round((this.view.to - this.view.from) / 200));
    this.playing = setInterval(() => (this.following ? this.play() : this.setCursor(this.cursor + stride)), 60);
  }

  turn() {
    const dark = this.root.dataset.theme ? this.root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    this.root.dataset.theme = dark ? "light" : "dark";
    this.coloured();
  }

  // The element is taken away.
  close() {
    if (this.playing) this.play();
    this.scheme.removeEventListener("change", this.recoloured);
  }

  coloured() {
    this.theme.read();
    this.changed();
  }
}

class Listed {
  constructor(page, found) {
    this.element = el("section", { class: "scroll" }, ...differences(found, page));
  }

  render() {}
}

// `ask` answers questions that the picture has no answer for: (kind, atom, at, about) => a promise.
export function mount(root, picture, ask = null) {
  const page = new Page(root, picture, ask);
  root.larspark = page;
  return page;
}

