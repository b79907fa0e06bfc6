// The timeline: lanes over time, to zoom into, to scrub through, to ask about.

import { el, fill, framed, plural } from "./dom.js";
import { density, paintOverview } from "./overview.js";
import { Scale, labelsOf, paintAxis, paintRows } from "./paint.js";
import { LANE } from "./rows.js";

const AXIS = 28, STRIP = 44;

export class Timeline {
  constructor(page) {
    this.page = page;
    this.strip = el("canvas", { class: "strip", "aria-hidden": "true" });
    this.axis = el("canvas", { class: "axis", "aria-hidden": "true" });
    this.canvas = el("canvas", { class: "lanes" });
    this.sizer = el("div", { class: "sizer" });
    this.tip = el("div", { class: "tip", hidden: true });
    this.scroller = el("div", {
      class: "scroller",
      tabindex: "0",
      role: "application",
      "aria-label": "Timeline. Arrow keys move the cursor and the selected atom; the table view lists what is shown.",
    }, this.canvas, this.sizer);
    this.empty = el("p", { class: "empty", hidden: true });
    this.element = el("section", { class: "timeline" }, this.strip, this.axis, this.scroller, this.empty, this.tip);
    this.frames = [];
    this.listen();
    this.watch = new ResizeObserver(framed(() => this.render()));
    this.watch.observe(this.scroller);
  }

  get width() {
    return this.scroller.clientWidth;
  }

  // How wide the names are.
  get labels() {
    return labelsOf(this.width);
  }

  get scale() {
    const { view, store } = this.page;
    const scale = new Scale(view.from, view.to, this.width);
    scale.endOfData = store.end;
    return scale;
  }

  render() {
    const { page } = this, { rows, store, theme } = page;
    if (!this.width) return;
    if (rows.version !== store.version) rows.update();
    const before = performance.now();
    const height = this.scroller.clientHeight;
    this.sizer.style.height = `${Math.max(0, rows.height + 24 - height)}px`;
    const scale = this.scale;
    paintRows(sized(this.canvas, this.width, height), {
      rows, scale, theme, page, height, scroll: this.scroller.scrollTop,
    });
    paintAxis(sized(this.axis, this.width, AXIS), { scale, theme, page, height: AXIS });
    this.paintStrip();
    this.empty.hidden = rows.list.length > 0;
    fill(this.empty, rows.search ? `No atom has “${rows.search}” in it.` : page.host.live && page.host.can.control
      ? `Nothing has arrived yet. Send an atom below, such as ${page.example}, or let time advance.` : "Nothing has arrived yet.");
    this.frames.push(performance.now() - before);
    if (this.frames.length > 240) this.frames.shift();
  }

  paintStrip() {
    const { page } = this;
    const key = `${page.store.marks} ${page.store.end}`;
    if (key !== this.densityOf) {
      const now = performance.now();
      if (!this.found || !(now - this.densityAt < 500)) {
        this.found = density(page.store);
        [this.densityOf, this.densityAt] = [key, now];
      } else setTimeout(() => page.changed(), 500);
    }
    const width = this.width - this.labels;
    paintOverview(sized(this.strip, this.width, STRIP), {
      store: page.store, found: this.found, view: page.view, width, height: STRIP, theme: page.theme,
      cursor: page.cursor, left: this.labels,
    });
  }

  // -- mouse ---------------------------------------------------------------------------------------

  listen() {
    const { page } = this;
    this.scroller.addEventListener("scroll", framed(() => this.render()));
    this.scroller.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.axis.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.scroller.addEventListener("pointerdown", (event) => this.press(event));
    this.scroller.addEventListener("pointermove", (event) => this.hover(event));
    this.scroller.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.dragged(this.axis, (event, start) => page.pan((start.x - event.clientX) / this.scale.unit, start.view));
    this.dragged(this.strip, (event) => {
      const box = this.strip.getBoundingClientRect();
      const share = (event.clientX - box.left - this.labels) / (this.width - this.labels);
      page.centre(page.store.start + share * (page.store.end - page.store.start + 1));
    });
  }

  wheel(event) {
    const box = this.scroller.getBoundingClientRect();
    const x = event.clientX - box.left;
    if (x < this.labels) return; // over the names the wheel scrolls the lanes
    event.preventDefault();
    const scale = this.scale;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      this.page.pan((event.deltaX || event.deltaY) / scale.unit);
    else this.page.zoom(Math.exp(event.deltaY * 0.0016), scale.time(x));
  }

  press(event) {
    const { page } = this;
    const box = this.scroller.getBoundingClientRect();
    const x = event.clientX - box.left;
    if (event.button !== 0 || x > this.width) return;
    const row = this.rowAt(event);
    if (row && row.type !== LANE) {
      if (x < this.labels || row.lane === undefined) {
        page.rows.toggle(row);
        page.changed();
      }
      if (x < this.labels) return;
    } else page.select(row ? row.lane : null);
    if (x < this.labels) return;
    const start = { x: event.clientX, view: { ...page.view } };
    const move = (moved) => {
      if (event.shiftKey) page.pan((start.x - moved.clientX) / this.scale.unit, start.view);
      else page.setCursor(Math.floor(this.scale.time(moved.clientX - box.left)));
    };
    move(event);
    held(this.scroller, event, move);
  }

  dragged(target, move) {
    target.addEventListener("pointerdown", (event) => {
      const start = { x: event.clientX, view: { ...this.page.view } };
      move(event, start);
      held(target, event, (moved) => move(moved, start));
    });
  }

  rowAt(event) {
    const { rows } = this.page;
    const y = event.clientY - this.scroller.getBoundingClientRect().top + this.scroller.scrollTop;
    return rows.list[rows.at(y)];
  }

  hover(event) {
    const row = this.rowAt(event);
    const box = this.element.getBoundingClientRect();
    const x = event.clientX - box.left;
    this.tip.hidden = !row || row.type !== LANE || event.buttons > 0;
    if (this.tip.hidden) return;
    const time = Math.floor(this.scale.time(x));
    fill(this.tip, el("b", {}, row.lane.atom), ...this.words(row.lane, x < this.labels ? null : time));
    this.tip.style.left = `${Math.min(x + 14, this.width - 280)}px`;
    this.tip.style.top = `${event.clientY - box.top + 16}px`;
  }

  // What a lane says near a time point.
  words(lane, time) {
    const { axis } = this.page, said = [];
    const near = Math.ceil(4 / this.scale.unit);
    if (time !== null) {
      const place = lane.covering(time);
      if (place >= 0) said.push(`holds ${axis.span(lane.first.values[place], lane.last.values[place])}`);
      const held = this.page.held.covering(lane, time);
      if (held) said.push(`holds on ${axis.span(...held)}`);
      const within = (column) => {
        const found = column.find(time - near);
        return found < column.size && column.values[found] <= time + near ? column.values[found] : null;
      };
      const arrived = within(lane.arrivals), refused = within(lane.refused), about = within(lane.pinAt);
      if (arrived !== null) said.push(`arrived at ${axis.name(arrived)}`);
      if (refused !== null) said.push(`not taken, for ${axis.name(refused)}`);
      if (about !== null) {
        const pin = lane.pinAt.find(about);
        said.push(`concluded for ${axis.name(about)}, at ${axis.span(lane.pinFirst.values[pin], lane.pinLast.values[pin])}`);
      }
    }
    if (!said.length) {
      if (lane.arrivals.size) said.push(plural(lane.arrivals.size, "arrival"));
      if (lane.first.size) said.push(`${plural(lane.first.size, "stretch", "stretches")} of time`);
    }
    return said.map((line) => el("div", {}, line));
  }

  // -- keys ----------------------------------------------------------------------------------------

  // Selects the next or the last lane that is shown.
  step(direction) {
    const { page } = this, { rows } = page;
    let place = page.selected ? rows.placeOf(page.selected) : -1;
    do place += direction;
    while (place >= 0 && place < rows.list.length && rows.list[place].type !== LANE);
    if (place < 0 || place >= rows.list.length) return;
    page.select(rows.list[place].lane);
    this.reveal(place);
  }

  reveal(place) {
    const { tops } = this.page.rows, { scrollTop, clientHeight } = this.scroller;
    if (tops[place] < scrollTop) this.scroller.scrollTop = tops[place] - 30;
    else if (tops[place + 1] > scrollTop + clientHeight) this.scroller.scrollTop = tops[place + 1] - clientHeight + 8;
  }
}

function held(target, event, move) {
  target.setPointerCapture(event.pointerId);
  const stop = () => {
    target.removeEventListener("pointermove", move);
    target.removeEventListener("pointerup", stop);
    target.removeEventListener("pointercancel", stop);
  };
  target.addEventListener("pointermove", move);
  target.addEventListener("pointerup", stop);
  target.addEventListener("pointercancel", stop);
}

// A canvas of this size on this screen, ready to be drawn on in pixels of the page.
function sized(canvas, width, height) {
  const dense = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * dense) || canvas.height !== Math.round(height * dense)) {
    canvas.width = Math.round(width * dense);
    canvas.height = Math.round(height * dense);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(dense, 0, 0, dense, 0, 0);
  return context;
}
