/** The profile's queries and changes. Keys begin with the person's id. Each call throws `ApiProblem`. */
import { getRoom } from '@fieldroom/contract/clients';
import * as calls from '@fieldroom/contract/profile';
import type { Device, Profile } from '@fieldroom/contract/profile';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { api, fillPath } from '../../platform/api/index.ts';
import { sendFile, textIn, type UploadOptions } from '../../platform/fetching/sendFile.ts';
import { storage } from '../../platform/storage.ts';

export type { Device, Profile };
export type PendingEmail = z.infer<typeof calls.pendingEmail>;

const key = () => ['profile', storage.get('user')?.id ?? 0] as const;

export const profileQueries = {
  /** Other tabs and devices change it too, and the link of an email changes the address. */
  profile: () =>
    queryOptions({
      queryKey: [...key(), 'me'],
      queryFn: ({ signal }) => api.call(calls.getProfile, { signal }),
      refetchOnWindowFocus: true,
    }),
  /** Other devices sign in and out, so they are fetched again whenever the page gets the focus. */
  devices: () =>
    queryOptions({
      queryKey: [...key(), 'devices'],
      queryFn: ({ signal }) => api.call(calls.getDevices, { signal }),
      refetchOnWindowFocus: true,
    }),
  /** For the code of a running live session. */
  room: () =>
    queryOptions({
      queryKey: [...key(), 'room'],
      queryFn: ({ signal }) => api.call(getRoom, { signal }),
      refetchOnWindowFocus: true,
    }),
};

/**
 * Applies a call's change to the cached profile, and nothing else: another section may have been saved in between. A
 * pending profile request is cancelled, because its answer may not contain the change.
 */
export async function changeProfile(queries: QueryClient, change: Partial<Profile>): Promise<void> {
  const { queryKey } = profileQueries.profile();
  await queries.cancelQueries({ queryKey });
  queries.setQueryData(queryKey, (before) => before && { ...before, ...change });
}

/** Saves name, gender, language and time zone (docs/product.md#3.17). */
export const saveMe = (values: z.infer<typeof calls.meInput>) => api.call(calls.saveProfile, { body: values });
/** Saves the public page: line, text and slug (docs/product.md#3.19). */
export const savePage = (values: z.infer<typeof calls.pageInput>) => api.call(calls.savePage, { body: values });

/** Uploads the caller's picture, a square. Returns its path. */
export async function uploadPicture(therapistId: number, file: File, options: UploadOptions): Promise<string> {
  const address = fillPath(calls.uploadPicture.path, { therapistId });
  return textIn(await sendFile(address, file, options, () => api.call(calls.getProfile)), 'picture');
}
/** Removes the caller's picture. */
export const removePicture = () => api.call(calls.removePicture);

/**
 * Requests another email address. Takes the new one and the password. The link in the email to it completes the change
 * (docs/product.md#3.25).
 */
export const requestEmailChange = (body: { email: string; password: string }) => api.call(calls.requestEmail, { body });
/** Sends the email to the new address again. */
export const sendEmailChangeAgain = () => api.call(calls.resendEmail);
/** Cancels the change of address; its link becomes invalid. */
export const cancelEmailChange = () => api.call(calls.cancelEmail);
/**
 * Sets another password and signs all other devices out (docs/product.md#3.24). Problems: `current_password_wrong`,
 * `password_too_common`.
 */
export const changePassword = (body: { current: string; password: string }) =>
  api.call(calls.changeOwnPassword, { body });
/** Signs one other device out (docs/product.md#3.26). */
export const endDevice = (deviceId: string) => api.call(calls.endDevice, { params: { deviceId } });
/** Signs out all devices but this one. */
export const endOtherDevices = () => api.call(calls.endOthers);
/** Fetches everything that is stored about the caller as a JSON file (docs/product.md#3.29). */
export const exportData = (): Promise<Blob> => api.call(calls.exportData);
/**
 * Schedules the deletion of the account in 14 days (docs/product.md#3.27). Refused while people are booked for future
 * events.
 */
export const deleteAccount = (body: { password: string }) => api.call(calls.deleteAccount, { body });
/** Cancels the deletion. */
export const keepAccount = () => api.call(calls.keepAccount);
