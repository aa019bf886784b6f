/** A picture that only its therapist may see is fetched with the sign-in. Its bytes live as long as it is shown. */
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../../platform/fetching/queryClient.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import { therapist } from '../eventPages.testing.tsx';
import { OwnPicture } from './OwnPicture.tsx';

const revoked: string[] = [];
let answer: () => Response;
beforeEach(() => {
  revoked.length = 0;
  keepSignIn(storage, { token: 't', user: therapist });
  answer = () => new Response(new Blob(['bytes']), { headers: { 'Content-Type': 'image/webp' } });
  vi.stubGlobal('fetch', async () => answer());
  // Everything is in view here.
  vi.stubGlobal('IntersectionObserver', undefined);
  let made = 0;
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => `blob:${(made += 1)}`);
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void revoked.push(address));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const picture = (fileName: string) => (
  <QueryClientProvider client={queries}>
    <OwnPicture image={{ eventId: 5, fileName }} seed={5} />
  </QueryClientProvider>
);
let queries = createQueryClient();
beforeEach(() => {
  queries = createQueryClient();
});
const shown = (container: HTMLElement) => container.querySelector('img')?.getAttribute('src');

test('it shows the fetched picture, and releases the bytes when it unmounts or the picture changes', async () => {
  const { container, rerender, unmount } = render(picture('a.webp'));
  await waitFor(() => expect(shown(container)).toBe('blob:1'));
  rerender(picture('b.webp'));
  expect(shown(container)).toBeUndefined();
  await waitFor(() => expect(shown(container)).toBe('blob:2'));
  expect(revoked).toEqual(['blob:1']);
  unmount();
  expect(revoked).toEqual(['blob:1', 'blob:2']);
});

test('a landscape replaces a picture that cannot be fetched', async () => {
  answer = () => new Response(null, { status: 404 });
  const { container } = render(picture('gone.webp'));
  await waitFor(() => expect(container.querySelector('svg')).not.toBeNull());
});
