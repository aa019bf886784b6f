/** The messages of the frame about the chosen part. */
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startWords } from '../../../../platform/i18n/app.ts';
import { theme } from '../../../../ui/theme/theme.ts';
import { CropFrame, type CropFrameProps } from './CropFrame.tsx';

beforeAll(() => startWords(['events']));
afterEach(cleanup);

/** Shows a picture of a size in the frame, as if the browser had loaded it. */
function show(width: number, height: number, props: Partial<CropFrameProps> = {}): void {
  render(
    <MantineProvider theme={theme}>
      <CropFrame source="blob:picture" onOther={() => {}} onCropped={() => {}} onUnreadable={() => {}} {...props} />
    </MantineProvider>,
  );
  const picture = screen.getByAltText('Picture preview');
  Object.defineProperties(picture, { naturalWidth: { value: width }, naturalHeight: { value: height } });
  fireEvent.load(picture);
}

test('a crop that would look blurred shows its width; it can be used', () => {
  show(200, 150);
  expect(screen.getByRole('status').textContent).toContain('only 200 px wide');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Use this' }).disabled).toBe(false);
});

test('a wide crop shows no warning until it is zoomed in too far', () => {
  show(1600, 900);
  expect(screen.getByRole('status').textContent).toBe('');
  const zoom = screen.getByRole('slider');
  for (let press = 0; press < 10; press += 1) fireEvent.keyDown(zoom, { key: 'ArrowRight' });
  expect(screen.getByRole('status').textContent).toContain('only 1067 px wide');
});

test('the part that phones show is marked, except in a picture of a person', () => {
  show(1600, 900);
  expect(screen.getByText('Phones show the part between the lines.')).toBeTruthy();
  cleanup();
  show(200, 200, { shape: 'round' });
  expect(screen.queryByText('Phones show the part between the lines.')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('');
});
