import { EMAIL_MAX } from '@fieldroom/contract/text';

/** What the browser should know about a field for an email address, for `Field`'s `input`. */
export const EMAIL_INPUT = {
  name: 'email',
  type: 'email',
  autoComplete: 'email',
  maxLength: EMAIL_MAX,
  inputMode: 'email',
  autoCapitalize: 'off',
  spellCheck: false,
} as const;
