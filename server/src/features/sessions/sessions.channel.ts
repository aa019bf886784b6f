/** The therapist's connections: they join the running live session and leave it. */
import { Problem } from '../../platform/problem.ts';
import { joinMessage, SEND } from '@fieldroom/contract/realtime';
import { type Channel, endConnection, stored } from '../../realtime/channel.ts';
import type { Sessions } from './sessions.service.ts';

/** Makes the channel. Takes the live sessions. */
export function createSessionsChannel(sessions: Pick<Sessions, 'therapistJoined' | 'therapistLeft'>): Channel {
  return {
    messages: {
      [SEND.addUser]: stored(
        joinMessage,
        async ({ userId }, { principal, connection }) => {
          if (principal.kind !== 'account') return;
          if (userId !== principal.id || !principal.roles.includes('ROLE_THERAPIST')) throw new Problem('forbidden');
          try {
            await sessions.therapistJoined(principal.id, connection);
          } catch (error) {
            // A page that reconnects after the end gets the reason, and stays closed.
            throw error instanceof Problem ? endConnection(error.code) : error;
          }
        },
        { whenUnavailable: 'end' },
      ),
    },
    async onGone({ principal, connection }) {
      if (principal.kind === 'account') await sessions.therapistLeft(principal.id, connection);
    },
  };
}
