// Points as pixels, painted by the processor itself: hundreds of thousands in some milliseconds on any machine, with no
// graphics processor to ask for and no drawing context to lose.

/** Places between two pixels at which a disc has a picture of its own, along each side. */
const PHASES = 4;
/** Samples along each side of a pixel that tell how much of it a disc covers. */
const SAMPLES = 8;

/** A color as the pixels of a picture hold it, opaque. */
function packed([red, green, blue]) {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

/** A disc of some diameter in pixels: for each phase, how much of 256 goes to each pixel of a square about it. */
class Brush {
  constructor(diameter, opacity) {
    this.radius = diameter / 2;
    this.side = Math.ceil(diameter) + 1;
    this.masks = [];
    for (let phase = 0; phase < PHASES * PHASES; phase++) {
      const [x, y] = [phase % PHASES, Math.floor(phase / PHASES)].map((at) => (at + 0.5) / PHASES + this.radius);
      this.masks.push(Uint16Array.from({ length: this.side ** 2 }, (_, at) => {
        const share = this.covered((at % this.side) - x, Math.floor(at / this.side) - y);
        return Math.round(256 * opacity * share);
      }));
    }
  }

  /** The share of a pixel, whose corner is here as seen from the center, that lies in the disc. */
  covered(left, top) {
    let inside = 0;
    for (let at = 0; at < SAMPLES * SAMPLES; at++) {
      const [x, y] = [left + ((at % SAMPLES) + 0.5) / SAMPLES, top + (Math.floor(at / SAMPLES) + 0.5) / SAMPLES];
      inside += x * x + y * y <= this.radius * this.radius;
    }
    return inside / (SAMPLES * SAMPLES);
  }
}

/** A picture to paint discs into. Until it is shown, its colors are multiplied by their opacity. */
class Raster {
  /** `margin` is the side of the largest brush: what is painted there is cut off. */
  constructor(width, height, margin) {
    [this.width, this.height, this.margin] = [width + 2 * margin, height + 2 * margin, margin];
    this.image = new ImageData(this.width, this.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  clear() {
    this.pixels.fill(0);
  }

  disc(brush, x, y, color) {
    const left = x - brush.radius + this.margin;
    const top = y - brush.radius + this.margin;
    const column = Math.floor(left);
    const row = Math.floor(top);
    const side = brush.side;
    const within = column >= 0 && row >= 0 && column + side <= this.width && row + side <= this.height;
    if (!within) return;
    const mask = brush.masks[Math.floor((top - row) * PHASES) * PHASES + Math.floor((left - column) * PHASES)];
    // Two of the four channels at a time, with room between them.
    const odd = color & 0xff00ff;
    const even = (color >>> 8) & 0xff00ff;
    const pixels = this.pixels;
    let at = row * this.width + column;
    let from = 0;
    for (let line = 0; line < side; line++, at += this.width - side) {
      for (let step = 0; step < side; step++, at++, from++) {
        const share = mask[from];
        if (share === 0) continue;
        const below = pixels[at];
        const rest = 256 - share;
        pixels[at] =
          (((Math.imul(below & 0xff00ff, rest) + Math.imul(odd, share)) >>> 8) & 0xff00ff) |
          ((Math.imul((below >>> 8) & 0xff00ff, rest) + Math.imul(even, share)) & 0xff00ff00);
      }
    }
  }

  /** Shows the picture on a canvas. */
  show(canvas) {
    const bytes = this.image.data;
    for (let at = 3; at < bytes.length; at += 4) {
      const opacity = bytes[at];
      if (opacity === 0 || opacity === 255) continue;
      for (let channel = at - 3; channel < at; channel++) bytes[channel] = (bytes[channel] * 255) / opacity;
    }
    canvas.getContext("2d").putImageData(this.image, -this.margin, -this.margin);
  }
}
