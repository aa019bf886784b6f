import { cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { FigureIcon, FigureShape } from './FigureShape.tsx';
import { boundingRadius, type DrawnKind, HALO_LINE, SHAPES } from './shapes.ts';
import { DRAWN_KINDS, pointsOf } from './shapes.testing.ts';
import { contrast, FIGURE_COLOURS, normalHex, toneOf } from './tones.ts';

afterEach(cleanup);

const hexes = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
const schemes = fc.constantFrom('light' as const, 'dark' as const);

test('outline and halo of any colour contrast by 10:1, so that one of them shows on any background', () => {
  fc.assert(
    fc.property(hexes, schemes, (hex, scheme) => {
      const tone = toneOf(hex, scheme);
      expect(contrast(tone.outline, tone.halo)).toBeGreaterThanOrEqual(10);
    }),
    { numRuns: 500 },
  );
});

test('in any colour the eyes and the back half contrast with the face', () => {
  fc.assert(
    fc.property(hexes, schemes, (hex, scheme) => {
      const tone = toneOf(hex, scheme);
      expect(contrast(tone.eye, tone.face)).toBeGreaterThanOrEqual(7);
      expect(Math.max(contrast(tone.face, tone.fill), contrast(tone.face, tone.shade))).toBeGreaterThanOrEqual(1.15);
    }),
    { numRuns: 500 },
  );
});

test('the twelve colours are the values of record and meet the same contrast', () => {
  expect(FIGURE_COLOURS.map((colour) => colour.name)).toEqual([
    'Chalk',
    'Straw',
    'Apricot',
    'Brick',
    'Rose',
    'Plum',
    'Lilac',
    'Ink blue',
    'Sky',
    'Mint',
    'Moss',
    'Coal',
  ]);
  expect(toneOf('#4c7e58', 'light').outline).toBe('#1A4426');
  for (const { light, dark } of FIGURE_COLOURS) {
    expect(contrast(light.outline, light.halo)).toBeGreaterThanOrEqual(10);
    expect(contrast(dark.outline, dark.halo)).toBeGreaterThanOrEqual(10);
  }
});

test('a colour that cannot be read is drawn in Moss, never as markup', () => {
  expect(normalHex('#fa8')).toBe('#FFAA88');
  for (const bad of ['', 'red', 'url(#x)', '#12', '#1234567', '"/><script>'])
    expect(toneOf(bad, 'light').fill).toBe('#4C7E58');
});

test.each(DRAWN_KINDS)('%s fits into its circle and nearly fills it', (kind) => {
  const reach = Math.max(...pointsOf(SHAPES[kind].halo).map(([x, y]) => Math.hypot(x, y))) + HALO_LINE / 2;
  expect(reach).toBeLessThanOrEqual(boundingRadius(kind));
  expect(reach).toBeGreaterThan(boundingRadius(kind) - 3);
});

test.each(DRAWN_KINDS)(
  '%s looks up: something leaves the outline in front, and the eyes are in the front half',
  (kind) => {
    const top = Math.min(...pointsOf(SHAPES[kind].halo).map(([, y]) => y));
    expect(top).toBeLessThan(-43);
    for (const [, y] of SHAPES[kind].eyes) expect(y).toBeLessThan(-10);
  },
);

test('a custom icon is only an image', () => {
  const { container } = render(
    <svg>
      <FigureShape
        kind="CUSTOM"
        tone="#4C7E58"
        scheme="light"
        iconUrl="/api/svg_img/image/1/2"
        iconWidth={50}
        iconHeight={25}
      />
    </svg>,
  );
  const image = container.querySelector('image');
  expect(image?.getAttribute('href')).toBe('/api/svg_img/image/1/2');
  expect(Number(image?.getAttribute('width'))).toBeCloseTo(2 * Number(image?.getAttribute('height')));
  expect(container.querySelectorAll('svg *')).toHaveLength(1);
});

test('a kind from a later version is drawn as a star', () => {
  const later = 'SPIRAL' as DrawnKind;
  const drawn = (kind: DrawnKind) =>
    render(<FigureIcon kind={kind} tone="#D7A065" scheme="light" size={30} />).container.innerHTML;
  expect(drawn(later)).toBe(drawn('STAR'));
  expect(boundingRadius(later)).toBe(boundingRadius('STAR'));
});

test('an icon with a title is an image with a name, without one it is decoration', () => {
  const { container, rerender } = render(
    <FigureIcon kind="KIWI" tone="#D7A065" scheme="dark" size={30} title="Kiwi" />,
  );
  expect(container.querySelector('svg')?.getAttribute('aria-label')).toBe('Kiwi');
  rerender(<FigureIcon kind="KIWI" tone="#D7A065" scheme="dark" size={30} />);
  expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
});
