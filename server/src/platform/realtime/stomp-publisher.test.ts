import { expect, test } from 'vitest';
import { createStompPublisher } from './stomp-publisher.ts';

test('publishes on all nodes, or on this one alone where that is wished', () => {
  const published: string[] = [];
  const publish = createStompPublisher({
    publish: (channel, { body }) => void published.push(`everywhere ${channel} ${String(body)}`),
    publishHere: (channel, { body }) => void published.push(`here ${channel} ${String(body)}`),
  });
  publish('/topic/a', 'one', { lane: 'volatile' });
  publish('/topic/a', 'two', { lane: 'volatile', onThisNode: true });
  expect(published).toEqual(['everywhere stomp:/topic/a one', 'here stomp:/topic/a two']);
});
