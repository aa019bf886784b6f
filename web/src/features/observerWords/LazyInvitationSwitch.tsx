/** The therapist's switch that invites words; fetched with the panel that shows them. */
import { loadWords } from '../../platform/i18n/app.ts';
import { lazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';

const invitationSwitch = lazyPart(async () => {
  const [{ InvitationSwitch }] = await Promise.all([
    import('./panel/InvitationSwitch.tsx'),
    loadWords(['observerWords']),
  ]);
  return { InvitationSwitch };
});

/** In the therapist's list of people. Draws nothing until code and words are loaded. */
export function LazyInvitationSwitch() {
  const part = useLazyPart(invitationSwitch, true);
  return part && <part.InvitationSwitch />;
}
