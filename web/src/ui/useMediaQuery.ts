import { useMediaQuery as useKitMediaQuery } from '@mantine/hooks';

/** A phone that lies on its side. Style sheets repeat the words, as they cannot read them here. */
export const LOW_SCREEN = '(max-height: 479px) and (min-width: 560px)';
/** A phone, upright or on its side. */
export const PHONE_SCREEN = `(max-width: 767px), ${LOW_SCREEN}`;

/** Where a bar with the layouts of the video has place for words, too. Style sheets have the px below it. */
export const ROOMY_SCREEN = '(min-width: 1300px)';

/** Whether a media query holds now, from the first render on: by default the kit's hook answers after it. */
export const useMediaQuery = (query: string): boolean =>
  useKitMediaQuery(query, undefined, { getInitialValueInEffect: false });
