// Time on the axis: time points, or moments of the calendar where the data has such.

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const MOMENTS = [1, 10, 100, SECOND, 2 * SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE,
  15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 30 * DAY,
  90 * DAY, 365 * DAY, 3650 * DAY];

export class Axis {
  constructor(calendar) {
    this.calendar = calendar;
  }

  // A time point in words.
  name(time) {
    if (!Number.isFinite(time)) return "now";
    if (!this.calendar.real) return String(time);
    const moment = this.moment(time);
    if (Number.isNaN(moment.getTime())) return String(time);
    const text = moment.toISOString().replace("T", " ").replace("Z", "");
    return this.calendar.step % SECOND ? text : text.slice(0, this.calendar.step % MINUTE ? 19 : 16);
  }

  span(first, last) {
    return first === last ? this.name(first) : `${this.name(first)} – ${this.name(last)}`;
  }

  moment(time) {
    return new Date(this.calendar.epoch + time * this.calendar.step);
  }

  // Round time points between two times, about 110 pixels apart: [{time, label, strong}].
  ticks(from, to, width) {
    const most = Math.max(2, width / 110);
    return this.calendar.real ? this.momentTicks(from, to, most) : this.pointTicks(from, to, most);
  }

  pointTicks(from, to, most) {
    const rough = Math.max(1, (to - from) / most);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
    const found = [];
    for (let time = Math.ceil(from / step) * step; time <= to; time += step)
      found.push({ time, label: String(time), strong: false });
    return found;
  }

  momentTicks(from, to, most) {
    const { epoch, step } = this.calendar;
    const length = MOMENTS.find((one) => one >= step && one * most >= (to - from) * step) || MOMENTS.at(-1);
    const found = [];
    let day = "";
    for (let at = Math.ceil((epoch + from * step) / length) * length; at <= epoch + to * step; at += length) {
      const text = new Date(at).toISOString();
      const strong = text.slice(0, 10) !== day;
      day = text.slice(0, 10);
      const clock = length % MINUTE ? text.slice(11, length % SECOND ? 23 : 19) : text.slice(11, 16);
      const label = length >= DAY ? day : strong ? `${day} ${clock}` : clock;
      found.push({ time: Math.floor((at - epoch) / step), label, strong });
    }
    return found;
  }
}
