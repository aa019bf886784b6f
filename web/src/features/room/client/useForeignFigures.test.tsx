/** What a client reads after pressing or dragging somebody else's figure. */
import type { Person } from '@fieldroom/contract/clients';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { aFigure } from '../../field/figures.testing.ts';
import type { RoomModel } from '../store/roomModel.ts';
import type { RoomStore } from '../store/roomStore.ts';
import { RoomProvider } from '../store/useRoom.ts';
import { useForeignFigures } from './useForeignFigures.ts';

vi.mock('react-i18next', () => ({
  useTranslation: () => ({ t: (key: string, { name }: { name: string }) => `${key} ${name}` }),
}));
afterEach(cleanup);

const FIGURES = [
  aFigure(7, { name: 'Father', movableBy: 'holders' }),
  aFigure(8, { name: 'Mother', movableBy: 'holders' }),
  aFigure(9, { name: 'Star', movableBy: 'everyone' }),
  aFigure(10, { name: 'Sister', movableBy: 'holders' }),
  aFigure(11, { name: 'The fear', movableBy: 'therapist' }),
];
const people = [{ id: 2, name: 'Tom', roles: [7, 11] }] as unknown as Person[];

function show({ handsAllowed = true, still = false } = {}) {
  const tell = vi.fn<(told: { text: string }) => void>();
  const model = { field: { figures: FIGURES, handsAllowed }, people } as unknown as RoomModel;
  const store = { get: () => model, subscribe: () => () => undefined } as unknown as RoomStore;
  function Field() {
    const foreign = useForeignFigures({ mover: { as: 'client', roles: [10] }, therapistName: 'Anna', still, tell });
    return (
      <div {...foreign.handlers}>
        {FIGURES.map(({ id, name }) => (
          <button key={id} type="button" data-figure={id} onClick={() => foreign.onSelect(id)}>
            {name}
          </button>
        ))}
      </div>
    );
  }
  render(
    <RoomProvider store={store}>
      <Field />
    </RoomProvider>,
  );
  return {
    press: (name: string) => fireEvent.click(screen.getByText(name)),
    drag(name: string, by: number, fingers = 1) {
      const figure = screen.getByText(name);
      for (let pointerId = 1; pointerId <= fingers; pointerId += 1)
        fireEvent.pointerDown(figure, { pointerId, clientX: 0, clientY: 0 });
      for (let pointerId = 1; pointerId <= fingers; pointerId += 1)
        fireEvent.pointerMove(figure, { pointerId, clientX: by, clientY: 0 });
      for (let pointerId = 1; pointerId <= fingers; pointerId += 1) fireEvent.pointerUp(figure, { pointerId });
    },
    told: () => tell.mock.calls.map(([told]) => told.text),
  };
}

test.each([
  ['Father', ['client.belongsTo Tom']],
  ['Mother', ['client.onlyTherapist Anna']],
  ['The fear', ['client.onlyTherapist Anna']],
  ['Star', []],
  ['Sister', []],
])('11.64: pressing %s says %j', (name, told) => {
  const field = show();
  field.press(name);
  expect(field.told()).toEqual(told);
});

test('11.64: a drag shows it once; a trembling finger and a pinch do not show it', () => {
  const field = show();
  field.drag('Father', 4);
  field.drag('Father', 60, 2);
  expect(field.told()).toEqual([]);
  field.drag('Father', 60);
  expect(field.told()).toEqual(['client.belongsTo Tom']);
});

test('11.64: while the therapist has paused moving, that is the reason; while the therapist is away, the bar explains it', () => {
  const stopped = show({ handsAllowed: false });
  stopped.press('Sister');
  expect(stopped.told()).toEqual(['client.handsStopped Anna']);
  cleanup();
  const still = show({ still: true });
  still.press('Father');
  expect(still.told()).toEqual([]);
});
