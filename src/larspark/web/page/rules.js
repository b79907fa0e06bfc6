// The program: its text with what each rule has done in the margin; edited, previewed and applied where that is allowed.

import { button, el, fill, number, plural } from "./dom.js";

const TOKENS = /(%.*|\/\/.*)|("(?:[^"\\]|\\.)*")|(#[a-z]+)|\b(not|always|some|per|hop|of)\b|\b([A-Z]\w*)\b|(\[[^\]\n]*\])|\b(\d+(?:\.\d+)?)\b/g;
const CLASSES = ["comment", "string", "directive", "keyword", "variable", "window", "number"];

export class Rules {
  constructor(page) {
    this.page = page;
    this.gutter = el("div", { class: "gutter" });
    this.colours = el("pre", { class: "colours", "aria-hidden": "true" });
    this.faults = el("pre", { class: "faults", "aria-hidden": "true" });
    this.text = el("textarea", {
      spellcheck: "false", autocapitalize: "off", wrap: "off", "aria-label": "Program", oninput: () => this.typed(),
      onclick: () => this.choose(), onkeyup: () => this.choose(),
    });
    this.messages = el("div", { class: "messages", role: "status" });
    this.difference = el("div", { class: "difference" });
    this.previewed = button("Preview", () => this.preview(), { disabled: true });
    this.applied = button("Apply", () => this.apply(), { disabled: true, class: "primary" });
    this.reverted = button("Revert", () => this.revert(), { disabled: true });
    this.hint = el("p", { class: "muted" });
    this.element = el("section", { class: "rules" },
      el("div", { class: "editor" }, this.gutter, el("div", { class: "layers" }, this.colours, this.faults, this.text)),
      el("div", { class: "below" },
        el("div", { class: "actions" }, this.previewed, this.applied, this.reverted), this.hint, this.messages,
        this.difference));
  }

  get changed() {
    return this.text.value !== this.page.program.text;
  }

  render() {
    const { page } = this;
    if (this.program !== page.program) {
      const edited = ![this.program ? this.program.text : "", page.program.text].includes(this.text.value);
      this.program = page.program;
      if (edited) this.typed(); // a connection that was lost for a while costs no words
      else this.revert();
    }
    const editable = page.host.can.edit;
    this.text.readOnly = !editable;
    for (const one of [this.previewed, this.applied, this.reverted]) one.hidden = !editable;
    const counted = !page.counts || page.program.rules.some((rule) => page.counts[rule.index]);
    fill(this.hint, [
      editable || !page.host.live ? ""
        : page.host.can.control ? "Started without --allow-edit: the rules can be read, not changed."
        : "The engine that this page watches is driven by somebody else: its rules can be read, not changed.",
      counted ? "" : "What each rule gave is not counted: this reasoner looks at evaluations one by one, and there are many.",
    ].filter(Boolean).join(" "));
    page.host.counts?.();
    this.margin();
  }

  revert() {
    this.text.value = this.page.program.text;
    fill(this.difference);
    this.found([]);
    this.drawn();
  }

  drawn() {
    const lines = this.text.value.split("\n");
    this.text.rows = lines.length + 1;
    this.text.cols = Math.max(60, ...lines.map((line) => line.length + 2));
    fill(this.colours, ...coloured(this.text.value));
    this.margin();
  }

  margin() {
    const { page } = this, counts = page.counts || [];
    const rules = this.changed ? [] : page.program.rules;
    const byLine = new Map(rules.filter((rule) => rule.line).map((rule) => [rule.line, rule]));
    const key = JSON.stringify([counts, page.rule, this.text.value]);
    if (key === this.shownMargin) return;
    this.shownMargin = key;
    fill(this.gutter, ...this.text.value.split("\n").map((_, place) => {
      const rule = byLine.get(place + 1), count = rule && counts[rule.index];
      const chosen = rules.some((one) => one.index === page.rule && one.line <= place + 1 && place + 1 <= one.last_line);
      return el("div", { class: chosen ? "line chosen" : "line" },
        count ? el("span", { class: "count", title: `${plural(count.count, "stretch", "stretches")}, last at ${count.last === null ? "no time" : page.axis.name(count.last)}` },
          count.count ? `${number(count.count)}× · ${page.axis.name(count.last)}` : "never") : null,
        el("span", { class: "place" }, String(place + 1)));
    }));
  }

  // The rule under the caret shows its windows on the timeline.
  choose() {
    if (this.changed) return;
    const line = this.text.value.slice(0, this.text.selectionStart).split("\n").length;
    const rule = this.page.program.rules.find((one) => one.line <= line && line <= one.last_line);
    this.page.chooseRule(rule ? rule.index : null);
  }

  typed() {
    this.drawn();
    this.stop();
    for (const one of [this.previewed, this.applied, this.reverted]) one.disabled = !this.changed;
    fill(this.difference);
    clearTimeout(this.waiting);
    const text = this.text.value;
    this.waiting = setTimeout(async () => {
      const answer = await this.page.host.check(text);
      if (text === this.text.value) this.found(answer.diagnostics || [answer]);
    }, 150);
  }

  found(diagnostics) {
    const wrong = diagnostics.some((one) => one.severity !== "warning" && one.severity !== "note");
    for (const one of [this.previewed, this.applied]) one.disabled = wrong || !this.changed;
    this.reverted.disabled = !this.changed;
    fill(this.faults, ...underlined(this.text.value, diagnostics));
    fill(this.messages, ...diagnostics.map((one) => el("p", { class: one.severity === "warning" ? "warning" : "problem" },
      one.line ? el("b", {}, `${one.line}:${one.column} `) : null, `${one.code ? `${one.code} ` : ""}${one.message}`,
      one.hint ? el("span", { class: "muted" }, ` ${one.hint}`) : null)));
  }

  // A preview that still runs is not waited for: its answer would be about another text.
  stop() {
    this.running?.abort();
    this.running = null;
  }

  async preview() {
    this.stop();
    const { signal } = (this.running = new AbortController());
    fill(this.difference, el("p", { class: "muted", role: "status" }, "Comparing over the history…"));
    const answer = await this.page.host.preview(this.text.value, signal);
    if (signal.aborted) return;
    fill(this.difference, ...(answer.differences ? differences(answer.differences, this.page) : [problem(answer)]));
  }

  async apply() {
    this.stop();
    fill(this.difference, el("p", { class: "muted", role: "status" }, "Applying to the history…"));
    const answer = await this.page.host.apply(this.text.value);
    if (!this.running) fill(this.difference);
    if (answer.message || answer.diagnostics) this.found(answer.diagnostics || [answer]);
  }
}

function problem(answer) {
  return el("p", { class: "problem" }, answer.message || answer.diagnostics.map((one) => one.message).join(" "));
}

const SHOWN = 100;

// Stretches that only the new (+) or only the old (−) rules give.
export function differences(found, page) {
  if (!found.length) return [el("p", { class: "same" }, "The answers are the same over the history that is kept.")];
  const gained = found.filter((one) => one.sign === "+").length;
  return [
    el("p", {}, `${plural(gained, "stretch", "stretches")} more, ${found.length - gained} fewer`
      + (found.length > SHOWN ? `; the first ${SHOWN} of ${number(found.length)}:` : ":")),
    el("ul", { class: "changes" }, ...found.slice(0, SHOWN).map((one) => el("li", { class: one.sign === "+" ? "gained" : "lost" },
      el("span", { class: "sign" }, one.sign === "+" ? "+" : "−"),
      button(one.at === undefined ? one.atom : `@${one.at} ${one.atom}`, () => page.goTo(one.atom, one.from), { class: "link code" }),
      el("span", { class: "note" }, page.axis.span(one.from, one.to)
        + (one.rule && one.rule.line ? ` · line ${one.rule.line}` : ""))))),
  ];
}

function coloured(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    const kind = CLASSES[match.slice(1).findIndex((one) => one !== undefined)];
    parts.push(el("span", { class: kind }, match[0]));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end), "\n"];
}

function underlined(text, diagnostics) {
  return text.split("\n").flatMap((line, place) => {
    const own = diagnostics.filter((one) => one.line === place + 1);
    if (!own.length) return [`${line}\n`];
    const from = Math.min(...own.map((one) => one.column - 1));
    const to = Math.max(from + 1, ...own.map((one) => (one.end_line === one.line ? one.end_column - 1 : line.length)));
    const mild = own.every((one) => one.severity === "warning" || one.severity === "note");
    return [line.slice(0, from), el("u", { class: mild ? "warning" : "fault" }, line.slice(from, to) || " "), `${line.slice(to)}\n`];
  });
}
