// The whole recording in one strip: how much holds and arrives when, and which part of it is shown below.

const BUCKETS = 600;

// How many marks there are over time: [inputs, conclusions], each scaled to 1.
export function density(store) {
  const from = store.start, span = Math.max(1, store.end - store.start + 1);
  const inputs = new Float64Array(BUCKETS + 1), changes = new Float64Array(BUCKETS + 1);
  const bucket = (time) => Math.max(0, Math.min(BUCKETS, Math.floor(((time - from) / span) * BUCKETS)));
  for (const lane of store.lanes) {
    for (let place = 0; place < lane.arrivals.size; place++) inputs[bucket(lane.arrivals.values[place])]++;
    for (let place = 0; place < lane.first.size; place++) {
      changes[bucket(lane.first.values[place])]++;
      const end = Math.min(lane.last.values[place], store.end) + 1;
      if (end <= store.end) changes[bucket(end)]--;
    }
  }
  const holding = new Float64Array(BUCKETS);
  for (let place = 0, sum = 0; place < BUCKETS; place++) holding[place] = sum += changes[place];
  return [scaled(inputs.subarray(0, BUCKETS)), scaled(holding)];
}

function scaled(values) {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return Float64Array.from(values, (value) => (most ? Math.sqrt(value / most) : 0));
}

export function paintOverview(context, { store, found, view, width, height, theme, cursor, left }) {
  context.clearRect(0, 0, left + width, height);
  const [inputs, holding] = found;
  const step = width / BUCKETS, middle = Math.round(height * 0.62);
  const span = Math.max(1, store.end - store.start + 1);
  const x = (time) => left + ((time - store.start) / span) * width;
  context.fillStyle = theme.raised;
  const from = Math.max(left, x(view.from)), to = Math.min(left + width, x(view.to));
  context.fillRect(from, 0, Math.max(3, to - from), height);
  context.fillStyle = theme.faint;
  context.beginPath();
  context.moveTo(left, middle);
  for (let place = 0; place < BUCKETS; place++) {
    context.lineTo(left + place * step, middle - holding[place] * (middle - 4));
    context.lineTo(left + (place + 1) * step, middle - holding[place] * (middle - 4));
  }
  context.lineTo(left + width, middle);
  context.globalAlpha = 0.55;
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = theme.input;
  for (let place = 0; place < BUCKETS; place++) {
    const tall = inputs[place] * (height - middle - 4);
    if (tall) context.fillRect(left + place * step, middle + 2, Math.max(1, step - 0.3), Math.max(2, tall));
  }
  context.strokeStyle = theme.accent;
  context.lineWidth = 1;
  context.strokeRect(Math.round(from) + 0.5, 0.5, Math.max(3, Math.round(to - from) - 1), height - 1);
  context.fillStyle = theme.accent;
  context.fillRect(x(cursor + 0.5) - 0.75, 0, 1.5, height);
}
