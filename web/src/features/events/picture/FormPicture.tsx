import { EventPicture } from './EventPicture.tsx';
import { OwnPicture } from './OwnPicture.tsx';
import type { Picture } from './choose/chosenPicture.ts';

/** The picture of the form. A stored one may belong to an event that nobody else can see. */
export function FormPicture({ picture, seed }: { picture: Picture; seed: string | number }) {
  if (picture.kind === 'stored') return <OwnPicture image={picture.ref} seed={seed} />;
  return <EventPicture address={picture.kind === 'new' ? picture.address : null} seed={seed} />;
}
