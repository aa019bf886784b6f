/** The switch between the layouts, in wide bars and in narrow ones (docs/product.md#11.7). */
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import words from '../../../locales/en/video.json';
import { theme } from '../../../ui/theme/theme.ts';
import { VideoContext } from '../store/useVideo.ts';
import { createVideoStore, type VideoStore } from '../store/videoStore.ts';
import { outside, running } from '../store/videoStore.fixture.ts';
import { LayoutSwitch } from './LayoutSwitch.tsx';

beforeAll(async () => {
  await i18next
    .use(initReactI18next)
    .init({ lng: 'en', ns: ['video'], defaultNS: 'video', resources: { en: { video: words } } });
});
let store: VideoStore | null = null;
afterEach(() => {
  cleanup();
  store?.close();
  store = null;
});

/** Draws it in a window for somebody who takes part. */
async function show({ wide }: { wide: boolean }) {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    () =>
      ({
        matches: wide,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  );
  const world = outside();
  const made = createVideoStore({ me: { id: 1, as: 'therapist' }, ...world });
  store = made;
  render(
    <MantineProvider theme={theme} env="test">
      <VideoContext value={made}>
        <LayoutSwitch />
      </VideoContext>
    </MantineProvider>,
  );
  act(() => world.room(running(true)));
  await act(async () => made.join('watch'));
  return { layout: () => made.get().view.layout };
}

test('11.7: each layout is a button with its word', async () => {
  const { layout } = await show({ wide: true });
  expect(screen.getAllByRole('radio').map((button) => button.textContent)).toEqual([
    'Field',
    'Half and half',
    'Gallery',
  ]);
  await userEvent.click(screen.getByRole('radio', { name: 'Half and half' }));
  expect(layout()).toBe('half');
});

test('11.7: in a narrow bar they are behind one button with a word, and each still has its key', async () => {
  const { layout } = await show({ wide: false });
  expect(screen.queryByRole('radio')).toBeNull();
  const button = screen.getByRole('button', { name: 'Layout: Field' });
  expect(button.textContent).toBe('Layout');
  await userEvent.click(button);
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Gallery' }));
  expect(layout()).toBe('gallery');
  expect(screen.getByRole('button', { name: 'Layout: Gallery', hidden: true })).toBeTruthy();
  await userEvent.keyboard('1');
  expect(layout()).toBe('field');
});

test('11.7: the keys work while the switch itself has the focus', async () => {
  const { layout } = await show({ wide: true });
  await userEvent.click(screen.getByRole('radio', { name: 'Gallery' }));
  expect(document.activeElement?.getAttribute('role')).toBe('radio');
  await userEvent.keyboard('2');
  expect(layout()).toBe('half');
});
