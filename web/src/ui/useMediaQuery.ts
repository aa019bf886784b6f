import { useMediaQuery as useKitMediaQuery } from '@mantine/hooks';

/** A phone in landscape. Style sheets repeat the query, because they cannot read it here. */
export const LOW_SCREEN = '(max-height: 479px) and (min-width: 560px)';
/** A phone, in portrait or landscape. */
export const PHONE_SCREEN = `(max-width: 767px), ${LOW_SCREEN}`;

/** From this width a bar with the layouts of the video has space for words too. Style sheets repeat the value below it
 * in px. */
export const ROOMY_SCREEN = '(min-width: 1300px)';

/** Whether a media query matches now, from the first render on: by default the kit's hook knows it only after that. */
export const useMediaQuery = (query: string): boolean =>
  useKitMediaQuery(query, undefined, { getInitialValueInEffect: false });
