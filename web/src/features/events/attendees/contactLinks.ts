/** The address as a link. RFC 6068 wants the `@` as it is. */
export const emailLink = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;

/** The number as a link: digits and a leading plus (RFC 3966); the rest is only for people. */
export const phoneLink = (phone: string): string =>
  `tel:${phone.trim().startsWith('+') ? '+' : ''}${phone.replace(/\D/g, '')}`;
