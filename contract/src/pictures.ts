/** Shared by all uploads of pictures: those of a profile, of events, of the field’s background and of bug reports. */
import type { ProblemCode } from './problems.ts';

/** The file of such an upload: JPEG, PNG or WebP up to 5 MB. */
export const PICTURE_UPLOAD = { maxBytes: 5 * 1024 * 1024 } as const;

/** Why the server may refuse a picture. */
export const PICTURE_PROBLEMS = [
  'image_unreadable',
  'image_too_large',
  'payload_too_large',
  'quota_reached',
  'storage_full',
  'too_many_requests',
] as const satisfies readonly ProblemCode[];
