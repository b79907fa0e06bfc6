// What holds at the cursor, and why: the panel beside the timeline.

import { button, el, fill, number } from "./dom.js";

const MOST = 40;

export class Panel {
  constructor(page) {
    this.page = page;
    this.element = el("aside", { class: "panel", "aria-label": "Explanation" });
    this.answer = null; // the explanation that is shown
  }

  render() {
    const { page } = this;
    const key = `${page.cursor} ${page.selected?.atom} ${page.store.end} ${page.store.marks} ${page.asked}`;
    if (key === this.shown) return;
    this.shown = key;
    fill(this.element, page.selected ? this.about(page.selected) : this.now());
  }

  now() {
    const { page } = this, { arriving, holding, pinned } = page.store.at(page.cursor);
    const group = (title, entries) => entries.length ? [
      el("h3", {}, title, " ", el("span", { class: "count" }, number(entries.length))),
      el("ul", { class: "atoms" }, ...entries.slice(0, MOST).map((entry) => el("li", {}, entry))),
      entries.length > MOST ? el("p", { class: "muted" }, `${MOST} of ${number(entries.length)} shown; the search finds the others.`) : null,
    ] : [];
    const atom = (lane, at) => button(at === undefined ? lane.atom : `@${page.axis.name(at)} ${lane.atom}`,
      () => page.explain(lane, at), { class: "link code" });
    const shown = holding.filter((lane) => page.store.predicates[lane.predicate].shown);
    const hidden = holding.filter((lane) => !page.store.predicates[lane.predicate].shown);
    const parts = [
      ...group("Holds", shown.map((lane) => atom(lane))),
      ...group("Concluded for other times", pinned.map(([lane, at]) => atom(lane, at))),
      ...group("Holds on", page.held.lanes(page.cursor).filter((lane) => !lane.arrivals.has(page.cursor)).map((lane) => atom(lane))),
      ...group("Arrives", arriving.map((lane) => atom(lane))),
      ...group("In between", hidden.map((lane) => atom(lane))),
    ];
    const nothing = page.store.void.some(([low, high]) => low <= page.cursor && page.cursor <= high)
      ? "There is no answer stream here." : "Nothing holds and nothing arrives.";
    return [el("h2", {}, `At ${page.axis.name(page.cursor)}`),
      ...(parts.length ? parts : [el("p", { class: "muted" }, nothing)])];
  }

  about(lane) {
    const { page } = this;
    const place = lane.covering(page.cursor), derived = page.store.predicates[lane.predicate].derived;
    const pins = lane.pinnedFrom(page.cursor);
    const state = place >= 0
      ? `holds at ${page.axis.name(page.cursor)}`
      : lane.arrivals.has(page.cursor) ? `arrives at ${page.axis.name(page.cursor)}`
      : page.held.covering(lane, page.cursor) ? `holds on at ${page.axis.name(page.cursor)}`
      : pins.length ? `concluded for ${pins.map((at) => page.axis.name(at)).join(", ")}`
      : `does not hold at ${page.axis.name(page.cursor)}`;
    const buttons = derived && (page.host.can.ask || !page.host.live) ? el("div", { class: "actions" },
      button("Why?", () => page.ask("why"), { disabled: place < 0 && !pins.length, title: "w" }),
      button("Why not?", () => page.ask("why-not"), { disabled: place >= 0, title: "n" })) : null;
    return [
      el("div", { class: "head" }, el("h2", { class: "code" }, lane.atom),
        button("×", () => page.select(null), { class: "quiet", "aria-label": "Close" })),
      el("p", { class: "muted" }, state),
      buttons,
      derived && !buttons ? el("p", { class: "muted" }, "What arrives stays in Spark, so there is no proof here. ",
        el("code", {}, `larspark why '${lane.atom}'`), " gives one over a recording.") : null,
      el("div", { "aria-live": "polite" }, page.answer ? explanation(page.answer, page) : null),
    ];
  }
}

// An explanation: text that draws a tree, as lines that fold.
export function explanation(answer, page) {
  if (answer.pending) return el("p", { class: "muted" }, "…");
  if (answer.hint) return [el("p", {}, answer.message), el("pre", { class: "command" }, answer.hint)];
  if (answer.message) return el("p", { class: "problem" }, answer.message);
  const [head, ...lines] = answer.text.split("\n");
  const when = answer.question?.at;
  return el("div", { class: "proof" },
    el("p", { class: "verdict" }, head),
    ...folded(lines.map((line) => parsed(line))),
    when === undefined || !page ? null : el("p", { class: "actions" },
      button(`at ${page.axis.name(when - 1)}`, () => page.explainAt(when - 1), { class: "quiet" }),
      button(`at ${page.axis.name(when + 1)}`, () => page.explainAt(when + 1), { class: "quiet" })));
}

function parsed(line) {
  const bare = line.replace(/^[│├└─ ]+/, "");
  const depth = line.length - bare.length;
  const [text, ...notes] = bare.split(/ {3,}/);
  const short = (words) => words.replace(/\((?:[^\s()]*\/)+([^\s()/]+, line)/g, "($1");
  return { depth, text, notes: notes.map(short) };
}

function folded(lines) {
  const root = el("div"), open = [{ depth: -1, element: root }];
  lines.forEach((line, place) => {
    while (open.at(-1).depth >= line.depth) open.pop();
    const mark = line.text.startsWith("✗") ? "fails" : line.text.startsWith("✓") ? "ok" : "";
    const place_ = /^[^ ]+:\d+$/.test(line.text) && line.notes.length;
    const words = place_
      ? [el("code", {}, line.notes[0]), el("span", { class: "note" }, [line.text.split("/").at(-1), ...line.notes.slice(1)].join(" · "))]
      : line.notes.length || mark
        ? [el("code", { class: mark }, line.text), el("span", { class: "note" }, line.notes.join("  "))]
        : [el("span", {}, line.text)];
    const deeper = place + 1 < lines.length && lines[place + 1].depth > line.depth && line.depth > 0;
    const made = deeper
      ? el("details", { open: true, class: "step" }, el("summary", {}, ...words))
      : el("div", { class: "step" }, ...words);
    open.at(-1).element.append(made);
    if (deeper) open.push({ depth: line.depth, element: made });
  });
  return [root];
}

