// Axes of plots, flat panels and charts alike: drawn as shapes, so that style and theme of the page color them.

/** A shape of a drawing, with its attributes. */
function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A range of numbers along a side of a plot; where it is logarithmic, its ends are logarithms. */
class Scale {
  constructor(low, high, isLog = false) {
    [this.low, this.high, this.isLog] = [low, high, isLog];
  }

  /** Covers all values and a little more. */
  static over(values, isLog, more) {
    const [low, high] = bounds(isLog ? values.map(Math.log10) : values);
    if (low > high) return new Scale(0, 1, isLog);
    const room = high > low ? more * (high - low) : Math.max(0.5, 0.05 * Math.abs(low));
    return new Scale(low - room, high + room, isLog);
  }

  get length() {
    return this.high - this.low;
  }

  /** How far along the side a value is: 0 at its low end, 1 at its high end. */
  share(value) {
    return ((this.isLog ? Math.log10(value) : value) - this.low) / this.length;
  }

  /** The value at a share of the side. */
  value(share) {
    const value = this.low + share * this.length;
    return this.isLog ? 10 ** value : value;
  }

  ticks(wanted) {
    return this.isLog ? powerTicks(10 ** this.low, 10 ** this.high) : linearTicks(this.low, this.high, wanted);
  }

  /** The same side, moved by a share of itself. */
  moved(share) {
    return new Scale(this.low + share * this.length, this.high + share * this.length, this.isLog);
  }

  /** The same side `factor` times as large, about what is at a share of it. */
  enlarged(factor, share) {
    const middle = this.low + share * this.length;
    return new Scale(middle + (this.low - middle) / factor, middle + (this.high - middle) / factor, this.isLog);
  }
}

/** Ticks with their texts, none so near to the one before that the texts would touch. */
function labeled(values, texts, place, widthOf) {
  let end = -Infinity;
  return values.flatMap((value, at) => {
    const half = widthOf(texts[at]) / 2;
    if (place(value) - half < end + 6) return [];
    end = place(value) + half;
    return [{ value, text: texts[at] }];
  });
}

/** How wide a text is in pixels. */
const textWidth = (() => {
  const paper = document.createElement("canvas").getContext("2d");
  return (text, size) => {
    paper.font = `${size}px system-ui, sans-serif`;
    return paper.measureText(text).width;
  };
})();

/** The step between ticks, as their texts need it. */
function stepOf(scale, ticks) {
  return scale.isLog || ticks.length < 2 ? 0 : Math.min(...ticks.slice(1).map((tick, at) => tick - ticks[at]));
}

/** Texts for ticks of a scale. */
function tickTexts(scale, ticks) {
  const step = stepOf(scale, ticks);
  return ticks.map((tick) => written(tick, step));
}

/**
 * The shapes of two axes about an area. Each of `across` and `up` has a `scale` and its `ticks`, and may have `noGrid` or
 * `noTexts`. `size` is that of the texts.
 */
function axisShapes({ left, top, width, height }, across, up, size) {
  const [right, bottom] = [left + width, top + height];
  const x = (value) => left + across.scale.share(value) * width;
  const y = (value) => bottom - up.scale.share(value) * height;
  const line = (x1, y1, x2, y2) => shape("line", { class: "grid", x1, y1, x2, y2 });
  const text = (content, at) => shape("text", { "font-size": size, ...at }, content);
  const shapes = [];
  if (!across.noGrid) shapes.push(...across.ticks.map((tick) => line(x(tick), top, x(tick), bottom)));
  if (!up.noGrid) shapes.push(...up.ticks.map((tick) => line(left, y(tick), right, y(tick))));
  const under = labeled(across.ticks, tickTexts(across.scale, across.ticks), x, (content) => textWidth(content, size));
  for (const { value, text: content } of under) {
    shapes.push(text(content, { class: "across", x: x(value), y: bottom + size + 4, "text-anchor": "middle" }));
  }
  if (up.noTexts) return shapes;
  const fromBelow = (value) => -y(value);
  for (const { value, text: content } of labeled(up.ticks, tickTexts(up.scale, up.ticks), fromBelow, () => size)) {
    shapes.push(text(content, { class: "up", x: left - 5, y: y(value) + size * 0.35, "text-anchor": "end" }));
  }
  return shapes;
}
