/** The person's picture, with acts to choose another and to remove it. */
import { firstLetter, inNameOrder } from '@fieldroom/contract/names';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { PersonPicture } from '../../../ui/PersonPicture.tsx';
import { useCurrentUser } from '../../accounts/index.ts';
import { UploadProgress } from '../../events/picture/index.ts';
import { Done, Problem, Section } from '../parts/Section.tsx';
import { changeProfile, type Profile, removePicture, uploadPicture } from '../profileQueries.ts';
import { ProfilePictureDialog } from './ProfilePictureDialog.tsx';
import styles from '../Profile.module.css';

/** First letters of both names, in the order of the language (docs/product.md#11.73). */
export const initialsOf = ({ firstName, lastName }: Pick<Profile, 'firstName' | 'lastName'>) =>
  inNameOrder(currentLanguage(), firstLetter(firstName), firstLetter(lastName)).join('');

/** Uploads a picture, or removes the present one. */
function usePictureChange(therapistId: number) {
  const queries = useQueryClient();
  const { changed } = useCurrentUser();
  /** The sent share of an upload, 0 to 1; null while none is running. */
  const [part, setPart] = useState<number | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const show = async (picture: string | null) => {
    await changeProfile(queries, { picture });
    // The top bar shows it too.
    changed();
  };
  const uploading = useMutation({
    async mutationFn(file: File): Promise<string | null> {
      const leaving = new AbortController();
      stop.current = leaving;
      setPart(0);
      try {
        return await uploadPicture(therapistId, file, { signal: leaving.signal, onProgress: setPart });
      } catch (fault) {
        // Stopped by the person: no fault, and no change.
        if (leaving.signal.aborted) return null;
        throw fault;
      } finally {
        setPart(null);
      }
    },
    onSuccess: (picture) => (picture === null ? undefined : show(picture)),
  });
  const removing = useMutation({ mutationFn: removePicture, onSuccess: () => show(null) });
  return {
    part,
    stop: () => stop.current?.abort(),
    busy: uploading.isPending || removing.isPending,
    fault: uploading.error ?? removing.error,
    done: uploading.data ? ('saved' as const) : removing.isSuccess ? ('removed' as const) : null,
    upload(file: File) {
      removing.reset();
      uploading.mutate(file);
    },
    remove() {
      uploading.reset();
      removing.mutate();
    },
  };
}

/**
 * The section "Picture" of the profile (docs/product.md#3.21). An upload shows its progress and can be stopped; then
 * the picture stays unchanged.
 */
export function PictureSection({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile');
  const [choosing, setChoosing] = useState(false);
  const change = usePictureChange(profile.id);
  const { picture } = profile;
  return (
    <Section id="my-picture" title={t('picture.title')} lead={t('picture.lead')}>
      <div className={styles.picture}>
        <PersonPicture picture={picture} initials={initialsOf(profile)} size={96} />
        <div className={styles.pictureWords}>
          {picture === null ? <p className={styles.hint}>{t('picture.none')}</p> : null}
          <div className={styles.acts}>
            <Button variant="default" disabled={change.busy} onClick={() => setChoosing(true)}>
              {picture === null ? t('picture.choose') : t('picture.change')}
            </Button>
            {picture === null ? null : (
              <Button variant="subtle" disabled={change.busy} onClick={change.remove}>
                {t('picture.remove')}
              </Button>
            )}
          </div>
          <Done>{change.done ? t(`picture.${change.done}`) : null}</Done>
        </div>
      </div>
      {change.part === null ? null : <UploadProgress part={change.part} onStop={change.stop} />}
      <Problem fault={change.fault} />
      <ProfilePictureDialog opened={choosing} onClose={() => setChoosing(false)} onCropped={change.upload} />
    </Section>
  );
}
