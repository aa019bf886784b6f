export { signOut } from './signOut.ts';
export { useCurrentUser } from './useCurrentUser.ts';
