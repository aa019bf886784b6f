/**
 * Where bytes lie that all nodes need: a folder (`folder.ts`) or a bucket (`s3.ts`). Names are paths that we make
 * ourselves, such as `files/0b/0b1c…`, and the same in both, so that blobs can be moved between them as they are. What
 * lies under a name of an uploaded file never changes.
 */

export interface BlobInfo {
  readonly name: string;
  /** Real time since it was written, by the clock of the store that keeps it. */
  readonly ageMs: number;
}

export interface Blobs {
  /** Stores bytes under a name, completely or not at all. When it resolves, they outlive a crash. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Returns the bytes; null if there are none under this name. */
  read(name: string): Promise<Buffer | null>;
  /** All that lies in a folder and in those below it, at most `LISTED_AT_ONCE` at a time. */
  list(folder: string): AsyncIterable<readonly BlobInfo[]>;
  /** Removes what lies under a name, if there is anything. */
  remove(name: string): Promise<void>;
  /** Rejects while nothing can be written. */
  probe(): Promise<void>;
}

/** As many as an S3 store lists. */
export const LISTED_AT_ONCE = 1000;

/** The store was not reached, did not answer in time or refused. The same may work a moment later. */
export class BlobsUnavailable extends Error {
  override readonly name: string = 'BlobsUnavailable';
}

/** The store has no room left. It carries the code by which a disk says so too. */
export class BlobsFull extends BlobsUnavailable {
  override readonly name = 'BlobsFull';
  readonly code = 'EDQUOT';
}

/** Something that an operator must put right before the store can be used; the message says what. */
export class BlobsFault extends BlobsUnavailable {
  override readonly name = 'BlobsFault';
}

/** Whether a text can be a name: no empty part, and none that begins with a dot. */
export const isBlobName = (text: string): boolean => /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(text);

/** Returns the name. A name that is none would lead out of the folder, so it is a bug of the caller. */
export function checkedName(name: string): string {
  if (!isBlobName(name)) throw new Error('this is no name of a blob');
  return name;
}
