// The same as a table: for screen readers, for copying, for exact numbers.

import { button, el, fill, number } from "./dom.js";
import { LANE } from "./rows.js";

const MOST = 200, SPANS = 12;

export class Table {
  constructor(page) {
    this.page = page;
    this.body = el("tbody");
    this.caption = el("caption");
    const head = el("thead", {}, el("tr", {}, ...["Atom", "Arrives", "Holds", "Concluded for", "Not taken"].map(
      (name) => el("th", { scope: "col" }, name))));
    this.element = el("section", { class: "scroll", "aria-label": "Table of what is shown" },
      el("table", { class: "plain" }, this.caption, head, this.body));
  }

  render() {
    const { page } = this, { view, axis, rows } = page;
    if (rows.version !== page.store.version) rows.update();
    const lanes = rows.list.filter((row) => row.type === LANE).map((row) => row.lane);
    const from = Math.ceil(view.from), to = Math.floor(view.to);
    fill(this.body, ...lanes.slice(0, MOST).map((lane) => el("tr", {},
      el("th", { scope: "row" }, button(lane.atom, () => page.select(lane), { class: "link code" })),
      el("td", {}, points(lane.arrivals, from, to, axis)),
      el("td", {}, stretches(lane, from, to, page)),
      el("td", {}, points(lane.pinAt, from, to, axis)),
      el("td", {}, points(lane.refused, from, to, axis)))));
    const shown = Math.min(MOST, lanes.length);
    fill(this.caption, `${number(shown)} of ${number(page.store.lanes.length)} atoms, from ${axis.name(from)} to `
      + `${axis.name(to)}. The search and the timeline choose what is here.`);
  }
}

function listed(parts, more) {
  return parts.join(", ") + (more > 0 ? `, … ${number(more)} more` : "");
}

function points(column, from, to, axis) {
  const low = column.find(from), high = column.find(to + 1);
  const found = Array.from(column.values.subarray(low, Math.min(high, low + SPANS)), (time) => axis.name(time));
  return listed(found, high - low - found.length);
}

function stretches(lane, from, to, page) {
  const low = lane.last.find(from), found = [];
  let high = low;
  for (; high < lane.first.size && lane.first.values[high] <= to; high++)
    if (found.length < SPANS)
      found.push(page.axis.span(lane.first.values[high], Math.min(lane.last.values[high], page.store.end)));
  for (const [first, last] of page.held.of(lane)) {
    if (last < from || first > to) continue;
    if (found.length < SPANS) found.push(page.axis.span(first, last));
    high++;
  }
  return listed(found, high - low - found.length);
}
