// What may still become true: which instances, when, what was seen for them and what they still need.

import { el, fill, number } from "./dom.js";
import { differences } from "./rules.js";

const MOST = 100;

export class Outlook {
  constructor(page) {
    this.page = page;
    this.goal = el("input", { type: "text", placeholder: "alarm(M)", "aria-label": "Goal", class: "code" });
    this.horizon = el("input", { type: "number", value: "10", min: "0", max: "1000", "aria-label": "How many time points ahead" });
    this.form = el("form", { class: "actions", onsubmit: (event) => this.ask(event) },
      el("label", {}, "What may become of ", this.goal), el("label", {}, " within ", this.horizon, " time points"),
      el("button", { type: "submit", class: "primary" }, "Look ahead"));
    this.found = el("div", { role: "status" });
    this.add = el("input", { type: "text", class: "code", placeholder: "@49 hot(press)", "aria-label": "Arrivals to add" });
    this.drop = el("input", { type: "text", class: "code", placeholder: "@35 technician(ann)", "aria-label": "Arrivals to drop" });
    this.other = el("form", { class: "actions", onsubmit: (event) => this.suppose(event) },
      el("label", {}, "What if ", this.add, " had arrived"), el("label", {}, " and not ", this.drop),
      el("button", { type: "submit", class: "primary" }, "Compare"));
    this.supposed = el("div", { role: "status" });
    this.element = el("section", { class: "foresight scroll" }, this.form, this.found, this.other, this.supposed);
  }

  render() {
    const { page } = this;
    this.form.hidden = this.other.hidden = !page.host.can.foresee;
    if (!this.goal.value && !this.met) this.goal.value = page.program.goal || goalOf(page.program);
    this.met = true; // what is emptied on purpose stays so
    if (page.host.can.foresee) return;
    if (page.host.live) {
      fill(this.found, el("p", { class: "muted" }, "What arrives stays in Spark, so nothing is looked ahead here. ",
        el("code", {}, "larspark foresee"), " does it over a recording."));
      return;
    }
    if (!page.prospects) {
      fill(this.found, el("p", { class: "muted" }, "This report does not look ahead. ",
        el("code", {}, "larspark foresee … --html report.html"), " does."));
      return;
    }
    const known = page.prospects.filter((one) => one.time <= page.cursor).at(-1) || page.prospects[0];
    if (known !== this.known) fill(this.found, prospects((this.known = known), page));
  }

  async suppose(event) {
    event.preventDefault();
    const parts = (text) => text.split(";").map((one) => one.trim()).filter(Boolean);
    const answer = await this.page.host.post("what-if", { add: parts(this.add.value), drop: parts(this.drop.value) });
    fill(this.supposed, ...(answer.differences ? differences(answer.differences, this.page) : [wrong(answer)]));
  }

  async ask(event) {
    event.preventDefault();
    fill(this.found, el("p", { class: "muted" }, "…"));
    const answer = await this.page.host.foresee(this.goal.value, Number(this.horizon.value));
    fill(this.found, answer.answers ? prospects(answer, this.page) : wrong(answer));
  }
}

// The conclusion that the program ends with.
function goalOf(program) {
  const last = program.rules.filter((rule) => rule.heads.length && rule.reads.length).at(-1);
  return last ? last.text.split(" :- ")[0].split(" | ")[0].replace(/^@(\([^)]*\)|\S+) /, "") : "";
}

function wrong(answer) {
  if (answer.message) return el("p", { class: "problem" }, answer.message);
  const hints = [...new Set(answer.diagnostics.map((one) => one.hint).filter(Boolean))];
  return el("div", {},
    el("ul", { class: "problem" }, ...answer.diagnostics.map((one) => el("li", {},
      one.line ? el("b", {}, `line ${one.line} `) : null, one.message))),
    ...hints.map((hint) => el("p", { class: "muted" }, hint)));
}

function prospects(report, page) {
  const rows = report.answers;
  if (!rows.length) return el("p", {}, `At ${page.axis.name(report.time)} nothing is in sight.`);
  return el("table", { class: "plain" },
    el("caption", {}, `Seen from ${page.axis.name(report.time)}: ${number(rows.length)} in sight`
      + (rows.length > MOST ? `, the nearest ${MOST} shown` : "")),
    el("thead", {}, el("tr", {}, ...["What", "Seen", "Still needs"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...rows.slice(0, MOST).map((one) => el("tr", { class: one.hypotheses.length ? "" : "certain" },
      el("th", { scope: "row", class: "code" }, one.text.split(": ")[0]),
      el("td", { class: "code" }, list(one.evidence)),
      el("td", { class: "code" }, one.hypotheses.length ? list(one.hypotheses) : "certain")))));
}

function list(entries) {
  return entries.length ? el("ul", { class: "tight" }, ...entries.map((one) => el("li", {}, one))) : "–";
}
