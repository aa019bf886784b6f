/** Files of emails: kept in the outbox, or made when the email is sent. */
import type { StoredAttachment } from '../platform.tables.ts';

export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A file that is made when the email is sent, always the same from the same key. It takes no place in the outbox. */
export interface LaterAttachment {
  readonly filename: string;
  readonly contentType: string;
  /** The name under which the maker was set (`makeAttachments`). */
  readonly maker: string;
  readonly key: string;
}

export interface AttachmentBytes {
  /** Sets who makes the bytes of attachments that are made later. Set before the first email is sent. */
  makeAttachments(maker: string, make: (key: string) => Promise<Uint8Array>): void;
  /** Returns the bytes of an attachment, and makes them if that was left for later. */
  bytesOf(attachment: StoredAttachment): Promise<Buffer>;
}

/** What the outbox keeps of an attachment. */
export function storedAttachment(attachment: Attachment | LaterAttachment): StoredAttachment {
  const { filename, contentType } = attachment;
  return 'bytes' in attachment
    ? { filename, contentType, base64: Buffer.from(attachment.bytes).toString('base64') }
    : { filename, contentType, maker: attachment.maker, key: attachment.key };
}

/** Makes what knows the makers. */
export function createAttachmentBytes(): AttachmentBytes {
  const makers = new Map<string, (key: string) => Promise<Uint8Array>>();
  return {
    makeAttachments: (maker, make) => void makers.set(maker, make),
    async bytesOf(attachment) {
      if ('base64' in attachment) return Buffer.from(attachment.base64, 'base64');
      const bytes = await makers.get(attachment.maker)!(attachment.key);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
  };
}
