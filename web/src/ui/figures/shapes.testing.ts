import { type DrawnKind, SHAPES } from './shapes.ts';

export const DRAWN_KINDS = Object.keys(SHAPES) as DrawnKind[];

/** Points along a path of absolute M L Q C A Z, dense enough to know its extent. */
export function pointsOf(d: string): [number, number][] {
  const points: [number, number][] = [];
  let at: [number, number] = [0, 0];
  for (const [, command = '', rest = ''] of d.matchAll(/([MLQCAZ])([^MLQCAZ]*)/g)) {
    const n = rest.match(/-?[\d.]+/g)?.map(Number) ?? [];
    if (command === 'Z') continue;
    const end: [number, number] = [n.at(-2) ?? 0, n.at(-1) ?? 0];
    if (command === 'A') {
      const [r = 0, , , large = 0, sweep = 0] = n;
      const [dx, dy] = [(end[0] - at[0]) / 2, (end[1] - at[1]) / 2];
      const half = Math.hypot(dx, dy);
      const h = Math.sqrt(Math.max(0, r * r - half * half)) / (half || 1);
      const side = large === sweep ? 1 : -1;
      const c: [number, number] = [at[0] + dx + side * h * dy, at[1] + dy - side * h * dx];
      const from = Math.atan2(at[1] - c[1], at[0] - c[0]);
      let turn = Math.atan2(end[1] - c[1], end[0] - c[0]) - from;
      if (sweep && turn <= 0) turn += 2 * Math.PI;
      if (!sweep && turn >= 0) turn -= 2 * Math.PI;
      for (let i = 0; i <= 32; i++)
        points.push([c[0] + r * Math.cos(from + (turn * i) / 32), c[1] + r * Math.sin(from + (turn * i) / 32)]);
    } else {
      const line: [number, number][] = [at];
      for (let i = 0; i < n.length; i += 2) line.push([n[i] ?? 0, n[i + 1] ?? 0]);
      if (command === 'M') line.shift();
      for (let i = 0; i <= 16; i++) {
        // De Casteljau: the same for lines, quadratic and cubic curves.
        let level = line;
        while (level.length > 1) {
          level = level.slice(1).map((p, k) => {
            const q = level[k] ?? p;
            return [q[0] + ((p[0] - q[0]) * i) / 16, q[1] + ((p[1] - q[1]) * i) / 16];
          });
        }
        if (level[0]) points.push(level[0]);
      }
    }
    at = end;
  }
  return points;
}
