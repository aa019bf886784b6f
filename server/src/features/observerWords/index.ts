/** Observers' words: clients without a role say how they feel, when the therapist invites them. */
import { inviteWords } from '@fieldroom/contract/observerWords';
import type { Feature } from '../../feature.ts';
import { createObserverWordsChannel } from './observerWords.channel.ts';
import { createObserverWordsService, type ObserverWordsParts } from './observerWords.service.ts';

/** Makes the words of observers. No other feature uses them. */
export function createObserverWords(parts: ObserverWordsParts): Required<Pick<Feature, 'routes' | 'channel'>> {
  const service = createObserverWordsService(parts);
  return {
    routes: (http) => http.handle(inviteWords, ({ access, body }) => service.invite(access.id, body.invited)),
    channel: createObserverWordsChannel(service),
  };
}
