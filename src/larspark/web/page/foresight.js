// What may still become true: which instances, when, what was seen for them and what they still need.

import { button, el, fill, number } from "./dom.js";

const MOST = 100;

export class Outlook {
  constructor(page) {
    this.page = page;
    this.goal = el("input", { type: "text", placeholder: "alarm(M)", "aria-label": "Goal", class: "code" });
    this.horizon = el("input", { type: "number", value: "10", min: "0", max: "1000", "aria-label": "How many time points ahead" });
    this.form = el("form", { class: "actions", onsubmit: (event) => this.ask(event) },
      el("label", {}, "What may become of ", this.goal), el("label", {}, " within ", this.horizon, " time points"),
      button("Look ahead", (event) => this.ask(event), { class: "primary" }));
    this.found = el("div", { role: "status" });
    this.element = el("section", { class: "foresight scroll" }, this.form, this.found);
  }

  render() {
    const { page } = this;
    this.form.hidden = !page.host.can.foresee;
    if (!this.goal.value) this.goal.value = page.program.goal || "";
    if (page.host.can.foresee) return;
    if (!page.prospects) {
      fill(this.found, el("p", { class: "muted" }, "This report does not look ahead. ",
        el("code", {}, "larspark foresee … --html report.html"), " does."));
      return;
    }
    const known = page.prospects.filter((one) => one.time <= page.cursor).at(-1) || page.prospects[0];
    if (known !== this.known) fill(this.found, prospects((this.known = known), page));
  }

  async ask(event) {
    event.preventDefault();
    fill(this.found, el("p", { class: "muted" }, "…"));
    const answer = await this.page.host.foresee(this.goal.value, Number(this.horizon.value));
    fill(this.found, answer.answers ? prospects(answer, this.page) : el("p", { class: "problem" }, answer.message));
  }
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
