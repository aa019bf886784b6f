/** A warning whose dialog cannot be fetched, as after an update of the server. */
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { createTimerStore } from '../timer/timerStore.ts';
import { TimerContext } from '../timer/timerContext.ts';
import { RoomUsageDialogs } from './RoomUsageDialogs.tsx';

vi.mock('../dialogs/UsageDialogs.tsx', () => {
  throw new Error('404');
});

afterEach(cleanup);

test('a dialog that failed does not count as closed: an empty room would be timed endlessly', async () => {
  const store = createTimerStore({ connection: fakeConnection(), therapistId: 7 });
  const onStay = vi.fn();
  render(
    <TimerContext value={store}>
      <RoomUsageDialogs onStay={onStay} />
    </TimerContext>,
  );
  act(() => store.open({ dialog: 'timeoutwarning', until: null }));
  await vi.waitFor(() => expect(document.querySelector('[role=alert]')).not.toBeNull());
  expect(onStay).not.toHaveBeenCalled();
  // It opens once its code is loaded.
  expect(store.get().opened?.dialog).toBe('timeoutwarning');
  store.close();
});
