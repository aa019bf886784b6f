import { AppExitContext } from '../leaving/appExit.ts';
import { routerExit } from '../leaving/routerExit.ts';
import TherapistRoomPage from './TherapistRoomPage.tsx';

/** The therapist's room as a page of the app. */
export default function RoomInApp() {
  return (
    <AppExitContext value={routerExit}>
      <TherapistRoomPage />
    </AppExitContext>
  );
}
