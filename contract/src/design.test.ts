/** Colours on which text can be read, and what may be saved. */
import { describe, expect, test } from 'vitest';
import { contrast, readableOn, TEXT_CONTRAST } from './colours/contrast.ts';
import { templateInput } from './design.ts';

const LEFT = { type: 'LEFT_MENU', bgColor: '#ffffff', textColor: null, selectedColor: null } as const;
const faults = (input: unknown) => {
  const parsed = templateInput.safeParse(input);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => [path.join('.'), message]);
};

test('contrast is calculated as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#ffffff', '#777777')).toBe(contrast('#777777', '#ffffff'));
});

test('every background has a readable colour', () => {
  for (let red = 0; red < 256; red += 15)
    for (let green = 0; green < 256; green += 15)
      for (let blue = 0; blue < 256; blue += 15) {
        const ground = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
        expect(contrast(readableOn(ground), ground), ground).toBeGreaterThanOrEqual(TEXT_CONTRAST);
      }
});

describe('a part', () => {
  test('is accepted, with its colours in lower case', () => {
    expect(templateInput.parse({ ...LEFT, bgColor: '#ABCDEF' })).toMatchObject({ bgColor: '#abcdef' });
    expect(faults({ type: 'BACKGROUND_IMAGE', imageId: null })).toEqual([]);
  });

  test('needs text that is readable on its background and on the selected entry', () => {
    expect(faults({ ...LEFT, textColor: '#777777' })).toEqual([['textColor', 'low_contrast']]);
    expect(faults({ ...LEFT, textColor: '#767676' })).toEqual([]);
    expect(faults({ ...LEFT, textColor: '#000000', selectedColor: '#202020' })).toEqual([
      ['textColor', 'low_contrast'],
    ]);
    expect(faults({ ...LEFT, bgColor: null, textColor: '#000000' })).toEqual([['bgColor', 'required']]);
    expect(faults({ type: 'TOP_MENU', bgColor: '#ffffff', textColor: '#eeeeee' })).toEqual([
      ['textColor', 'low_contrast'],
    ]);
  });

  test.each([
    [{ ...LEFT, bgColor: 'red' }],
    [{ ...LEFT, bgColor: '#fff' }],
    [{ ...LEFT, bgColor: '#ffffff;}' }],
    [{ ...LEFT, bgColor: 'url(https://evil.example/)' }],
    [{ ...LEFT, more: 1 }],
    [{ type: 'LEFT_MENU' }],
    [{ type: 'RIGHT_MENU', bgColor: null }],
    [{ type: 'BACKGROUND_IMAGE', imageId: crypto.randomUUID() }],
    [null],
  ])('is refused: %j', (input) => {
    expect(faults(input)).not.toEqual([]);
  });
});
