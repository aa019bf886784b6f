// @vitest-environment happy-dom
/** The wording of moments and moves, in each language (docs/product.md#6.10 and #6.16). */
import type { Moment, Move, MoveStep } from '@fieldroom/contract/moments';
import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { startWords, switchLanguage } from '../../platform/i18n/app.ts';
import { aFigure } from '../sessions/sessions.testing.tsx';
import { momentName, moveWords, timeWords } from './momentWords.ts';

beforeAll(() => startWords(['moments']));

const moment: Moment = {
  id: 1,
  actId: '3f2b8a4e-6f0e-4f5e-9c1a-1b2c3d4e5f60',
  number: 3,
  name: null,
  keptOn: '2026-12-03T10:42:00Z',
  afterMove: 12,
  figures: 2,
};
const say = () => i18next.getFixedT(null, 'moments');
const move = (steps: MoveStep[], kind: Move['kind'] = 'act'): Move => ({
  ...{ number: 1, revision: 1, movedOn: moment.keptOn, by: 'client', kind, steps },
});
const before = [aFigure({ id: 1, name: 'Mother' }), aFigure({ id: 2, name: '' })];
const words = (steps: MoveStep[], kind?: Move['kind']) =>
  moveWords(say(), ({ name }) => name || 'Man', before, move(steps, kind));

test.each([
  ['de', 'Moment 3, '],
  ['hu', '3. pillanat, '],
  ['ro', 'Momentul 3, '],
  ['en', 'Moment 3, '],
] as const)('a moment without a name is shown with its number and time in %s', async (language, name) => {
  await switchLanguage(language);
  expect(momentName(say(), moment, language)).toBe(`${name}${timeWords(moment.keptOn, language)}`);
  expect(timeWords(moment.keptOn, language)).toMatch(/^\d\d:42$/);
  expect(momentName(say(), { ...moment, name: 'Calm' }, language)).toBe('Calm');
});

test('a move is described by its act', async () => {
  await switchLanguage('en');
  expect(words([{ figureId: 1, set: { x: 5, y: 6 } }])).toBe('Mother moved');
  expect(words([{ figureId: 1, set: { rotation: 90 } }])).toBe('Mother turned');
  expect(words([{ figureId: 1, set: { x: 5, rotation: 90 } }])).toBe('Mother moved and turned');
  expect(words([{ figureId: 1, set: { x: 5, scale: 2 } }])).toBe('Mother changed');
  expect(words([{ figureId: 2, set: { color: '#000000' } }])).toBe('Man changed colour');
  expect(words([{ figureId: 2, set: { name: 'Son' } }])).toBe('Son has another name');
  expect(words([{ figureId: 1, set: { showText: false } }])).toBe('Mother: name hidden');
  expect(words([{ figureId: 1, set: { relations: [] } }])).toBe('Mother: other relations');
  expect(words([{ put: aFigure({ id: 3, name: 'Aunt' }) }])).toBe('Aunt came onto the field');
  expect(words([{ gone: 1 }])).toBe('Mother left the field');
  expect(words([{ gone: 1 }, { gone: 2 }])).toBe('2 figures changed');
  expect(words([{ figureId: 1, set: { x: 5 } }], 'undo')).toBe('Undone: Mother moved');
  expect(words([{ gone: 1 }, { gone: 2 }], 'back')).toBe('The field went back to a moment');
  expect(words([{ figureId: 1, set: { x: 5 } }], 'reset')).toBe('The field was reset');
});
