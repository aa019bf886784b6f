/** The strip's messages about going back to a moment (docs/product.md#6.10). */
import type { Moment } from '@fieldroom/contract/moments';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createEmitter } from '../../../platform/emitter.ts';
import type { FieldStore } from '../../field/index.ts';
import type { MomentsStore } from '../room/momentsStore.ts';
import { MomentsStrip } from './MomentsStrip.tsx';

vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }));
vi.mock('../useMomentWords.ts', () => ({ useMomentWords: () => ({ moment: () => 'Before' }) }));
vi.mock('./MomentDialogs.tsx', () => ({
  MomentDialogs: ({ onGoBack }: { onGoBack(moment: Moment): void }) => (
    <button type="button" onClick={() => onGoBack({ id: 3 } as Moment)}>
      Go back
    </button>
  ),
}));
vi.mock('../replay/LookBackDialog.tsx', () => ({ LookBackDialog: () => null }));
vi.mock('../compare/CompareDialog.tsx', () => ({ CompareDialog: () => null }));
afterEach(cleanup);

const pending = [{ actId: 'back', act: { kind: 'backToMoment' } }];
const DONE = { text: 'goBack.done', tone: 'done' };

test.each([
  ['was confirmed', { undo: ['back'] }, [[{ ...DONE, act: { label: 'goBack.undo', run: expect.any(Function) } }]]],
  ['changed nothing', {}, [[DONE]]],
  ['was refused', { refused: pending }, []],
])('6.10 going back is reported with a button to undo it, if possible: it %s', async (_, answer, told) => {
  const changed = createEmitter();
  const nothing = { field: null, pending: [] as object[], refused: [], undo: [], redo: [] };
  let model: object = nothing;
  const field = {
    get: () => model,
    subscribe: changed.on,
    act: vi.fn(() => {
      model = { ...nothing, pending };
      changed.emit();
      return 'back';
    }),
  };
  const store = { value: { liveSessionId: 1, moments: [] }, open: true };
  const tell = vi.fn();
  render(
    <MomentsStrip
      store={{ get: () => store, subscribe: () => () => {}, onAnswer: () => () => {} } as unknown as MomentsStore}
      field={field as unknown as FieldStore}
      ground={null}
      tell={tell}
    />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Go back' }));
  await act(async () => {});
  expect(field.act.mock.calls).toEqual([[{ kind: 'backToMoment', momentId: 3 }]]);
  expect(tell).not.toHaveBeenCalled();
  await act(async () => {
    model = { ...nothing, ...answer };
    changed.emit();
  });
  expect(tell.mock.calls).toEqual(told);
});
