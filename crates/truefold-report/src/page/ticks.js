// Round numbers along an axis, and how they are written: the same as in the figures that the tool draws.

/** Round numbers from `low` to `high`, about `wanted` of them. */
function linearTicks(low, high, wanted) {
  const step = roundStep((high - low) / wanted);
  if (!(step > 0 && Number.isFinite(step))) return [low];
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => (first + at) * step);
}

/** 1, 2 or 5 times a power of ten, at least `least`. */
function roundStep(least) {
  if (!(least > 0 && Number.isFinite(least))) return 0;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => least / power <= factor * (1 + 1e-9)) ?? 10);
}

/** The powers of ten from `low` to `high`; where there are fewer than three, also 2 and 5 times them. */
function powerTicks(low, high) {
  const first = Math.floor(Math.log10(low) - 1e-9);
  const last = Math.ceil(Math.log10(high) + 1e-9);
  const powers = Array.from({ length: last - first + 1 }, (_, at) => Number(`1e${first + at}`));
  const isInside = (value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9);
  const tens = powers.filter(isInside);
  if (tens.length < 3) return powers.flatMap((power) => [power, 2 * power, 5 * power]).filter(isInside);
  const every = Math.ceil(tens.length / 8);
  return tens.filter((_, at) => at % every === 0);
}

/** A tick's number in as few letters as say it, and tell it from the next one `step` farther. */
function written(value, step = 0) {
  const size = Math.abs(value);
  // What a step leaves of zero.
  if (size < Math.max(1e-12 * (step || 1), 1e-300)) return "0";
  const order = Math.floor(Math.log10(size));
  const digits = Math.min(step > 0 ? order - Math.floor(Math.log10(step)) : 0, 12);
  if (size < 1e-4 || size >= 1e6) return value.toExponential(Math.max(digits, 2)).replace(/\.?0*e\+?/, "e");
  const text = value.toFixed(Math.min(Math.max(Math.max(digits, 4) - order, 0), 12));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
