/** A client in the room of a therapist, as the server describes it. */
export const client = {
  id: 9,
  name: 'Hanna',
  therapist: { id: 7, joinLink: 'anna', firstName: 'Anna' },
  selected: false,
  active: true,
  participants: [],
  activeParticipant: null,
  joinedOn: '2026-11-21T10:00:00Z',
};
