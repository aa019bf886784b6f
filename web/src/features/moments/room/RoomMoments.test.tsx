/** The field is kept as the therapist sees it (docs/product.md#6.10). */
import { MOMENTS_SEND } from '@fieldroom/contract/moments';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { FieldContext, type FieldStore } from '../../field/index.ts';
import { RoomMoments } from './RoomMoments.tsx';

vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => [key].flat()[0] }) }));
afterEach(cleanup);

test('6.10 pending steps by key are stored before the field is kept, by the button and by K', () => {
  const connection = fakeConnection();
  const value = { liveSessionId: 1, moments: [] };
  const field = { storeSteps: () => void connection.send('the steps', {}) } as unknown as FieldStore;
  render(
    <FieldContext value={field}>
      <button type="button" data-room="field">
        Mother
      </button>
      <RoomMoments
        latest={{ connection, last: () => value } as never}
        tell={vi.fn()}
        place={document.body}
        field={field}
        ground={null}
      />
    </FieldContext>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'keep.button' }));
  const mother = screen.getByRole('button', { name: 'Mother' });
  mother.focus();
  fireEvent.keyDown(mother, { key: 'k' });
  const once = ['the steps', MOMENTS_SEND.keep];
  expect(connection.sent.map(({ destination }) => destination)).toEqual([...once, ...once]);
});
