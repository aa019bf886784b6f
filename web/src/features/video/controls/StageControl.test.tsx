/** The therapist's control of the stage. */
import { DEFAULT_VIDEO_SETTINGS } from '@fieldroom/contract/video';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import words from '../../../locales/en/video.json';
import { StageControl } from './StageControl.tsx';
import { VideoContext } from '../store/useVideo.ts';
import { createVideoStore } from '../store/videoStore.ts';
import { outside, running } from '../store/videoStore.fixture.ts';

beforeAll(async () => {
  await i18next
    .use(initReactI18next)
    .init({ lng: 'en', ns: ['video'], defaultNS: 'video', resources: { en: { video: words } } });
});
afterEach(cleanup);

function shown() {
  const world = outside();
  const store = createVideoStore({ me: { id: 1, as: 'therapist' }, ...world });
  const calls = { setStage: vi.fn(async () => {}), setSettings: vi.fn(async () => DEFAULT_VIDEO_SETTINGS) };
  const onFailed = vi.fn();
  render(
    <VideoContext value={store}>
      <StageControl calls={calls} onFailed={onFailed} />
    </VideoContext>,
  );
  const stage = (ids: number[] | null, stageOnly = false) =>
    act(() => world.room({ ...running(true), stage: ids, settings: { ...DEFAULT_VIDEO_SETTINGS, stageOnly } }));
  const press = async (element: HTMLElement) => act(async () => void fireEvent.click(element));
  return { calls, onFailed, stage, press };
}

test('10.13: people with a role in one press; the clients on stage are named, and the stage can be ended', async () => {
  const { calls, stage, press } = shown();
  stage(null);
  expect(screen.getByText('Nobody. All videos are the same size.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'End stage' })).toBeNull();
  await press(screen.getByRole('button', { name: 'Those with a role' }));
  expect(calls.setStage).toHaveBeenLastCalledWith('withRole');
  stage([12]);
  expect(screen.getByText('1 person, large for everyone')).toBeTruthy();
  await press(screen.getByRole('button', { name: 'End stage' }));
  expect(calls.setStage).toHaveBeenLastCalledWith(null);
});

test('10.13: a switch, present only with a stage, hides the others', async () => {
  const { calls, stage, press } = shown();
  stage(null, true);
  expect(screen.queryByRole('switch')).toBeNull();
  stage([12, 13]);
  await press(screen.getByRole('switch', { name: 'Show only the stage' }));
  expect(calls.setSettings).toHaveBeenLastCalledWith({ stageOnly: true });
  stage([12, 13], true);
  expect(screen.getByRole('switch')).toHaveProperty('checked', true);
});

test('10.13: a failure is shown', async () => {
  const { calls, onFailed, stage, press } = shown();
  stage(null);
  calls.setStage.mockRejectedValueOnce(new Error('offline'));
  await press(screen.getByRole('button', { name: 'Those with a role' }));
  expect(onFailed).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('button', { name: 'Those with a role' })).toHaveProperty('disabled', false);
});
