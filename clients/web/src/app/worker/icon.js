// Draws the icon of the application as PNG, which installed applications need: two cards, as in
// `icon.svg`.

import { deflateSync } from "node:zlib";

const GREEN = [0x1c, 0x6b, 0x54];
const PAPER = [0xff, 0xfd, 0xf8];
const GROUND = [0xe6, 0xef, 0xea];

// The distance of a point from a rectangle with round corners, turned by some degrees.
function card(x, y, width, height, radius, degrees) {
  const [cx, cy] = [x + width / 2, y + height / 2];
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return (px, py) => {
    const [dx, dy] = [px - cx, py - cy];
    const u = Math.abs(dx * cos + dy * sin) - width / 2 + radius;
    const v = Math.abs(dy * cos - dx * sin) - height / 2 + radius;
    return Math.hypot(Math.max(u, 0), Math.max(v, 0)) + Math.min(Math.max(u, v), 0) - radius;
  };
}

const back = card(5.5, 4, 16, 23, 3, -8);
const front = card(10, 5, 17, 24, 3, 0);

function colorAt(x, y) {
  if (Math.hypot(x - 18.5, y - 17) < 4) return GREEN;
  const distance = front(x, y);
  if (distance < 1) return distance < -1 ? PAPER : GREEN;
  return back(x, y) < 0 ? GREEN : GROUND;
}

/** The icon with a margin for platforms that cut its corners. */
export function drawIcon(size) {
  const [margin, samples] = [6, 3];
  const rows = Buffer.alloc(size * (1 + size * 3));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const sum = [0, 0, 0];
      for (let n = 0; n < samples * samples; n++) {
        const at = (pixel, part) => ((pixel + (part + 0.5) / samples) / size) * (32 + 2 * margin) - margin;
        const color = colorAt(at(x, n % samples), at(y, Math.floor(n / samples)));
        color.forEach((value, channel) => (sum[channel] += value));
      }
      sum.forEach((value, channel) => (rows[y * (1 + size * 3) + 1 + x * 3 + channel] = Math.round(value / samples ** 2)));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type, content) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc(named));
  return Buffer.concat([length, named, check]);
}

function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}
