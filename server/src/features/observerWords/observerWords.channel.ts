/** The word that a browser sends, and the state for a joiner. */
import { OBSERVER_WORDS_SEND, sayWord } from '@fieldroom/contract/observerWords';
import { type Channel, stored } from '../../realtime/channel.ts';
import type { ObserverWords } from './observerWords.service.ts';

/** Makes the channel. Takes the words of observers. */
export function createObserverWordsChannel(words: Pick<ObserverWords, 'say' | 'sendCurrent'>): Channel {
  return {
    messages: {
      [OBSERVER_WORDS_SEND.say]: stored(sayWord, async (word, sender) => words.say(await sender.access(), word)),
    },
    async onJoin(sender) {
      await words.sendCurrent(await sender.access(), (invited) =>
        sender.tell({ eventType: 'OBSERVER_INVITATION', contents: { invited } }),
      );
    },
  };
}
