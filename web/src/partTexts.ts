/** The texts of the app's parts, by which the build also names their files (build/documents/preloadAhead.ts). */
const ROOM = ['room', 'field', 'video', 'messages', 'usage'];

export const PART_TEXTS = {
  /** The frame of the signed-in pages. */
  frame: ['shell', 'usage', 'notices', 'search'],
  /** The pages of sign-in and registration. */
  account: ['accounts'],
  room: ROOM,
  /** The room as clients see it. */
  client: ROOM,
} as const;
