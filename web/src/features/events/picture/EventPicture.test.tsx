/** The landscape for an event without a picture. */
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { EventPicture } from './EventPicture.tsx';

afterEach(cleanup);

test('two pictures of one landscape have separate skies, so that one remains when the other is hidden', () => {
  const { container } = render(
    <>
      <EventPicture address={null} seed={7} />
      <EventPicture address={null} seed={7} />
    </>,
  );
  const [first, second] = [...container.querySelectorAll('linearGradient')].map(({ id }) => id);
  expect(first).not.toBe(second);
  expect([...container.querySelectorAll('rect')].map((sky) => sky.getAttribute('fill'))).toEqual([
    `url(#${first})`,
    `url(#${second})`,
  ]);
});
