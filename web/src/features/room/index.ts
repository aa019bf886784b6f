/** Door of the room: its two pages are loaded lazily by the routes. */
export { default as ClientRoomPage } from './ClientRoomPage.tsx';
export { default as TherapistRoomPage } from './TherapistRoomPage.tsx';
