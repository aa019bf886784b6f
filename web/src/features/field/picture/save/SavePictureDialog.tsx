/**
 * Saves the field as a picture (docs/product.md#5.30 to #5.32): shows the file's content, and asks for names, format
 * and size.
 */
import type { Figure, Relation } from '@fieldroom/contract/field';
import { Button, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { QueryClientProvider } from '@tanstack/react-query';
import { type Ref, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../../../platform/fetching/queryClient.ts';
import { currentLanguage } from '../../../../platform/i18n/app.ts';
import { Callout } from '../../../../ui/states/Callout.tsx';
import dialog from '../../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../../ui/dialogs/Dialog.tsx';
import { LoadFault } from '../../../../ui/states/LoadFault.tsx';
import { RadioList } from '../../../../ui/controls/choices/RadioList.tsx';
import { saveFile } from '../../../../ui/saveFile.ts';
import { useAppearance } from '../../../../ui/theme/appearance.ts';
import { type FieldGround, groundKind, groundLook } from '../../drawing/ground.ts';
import still from '../FieldStill.module.css';
import { stillFigures } from '../StillDrawing.tsx';
import { captionFor, type Names, NAMES, wordFor } from './captions.ts';
import { PictureDrawing } from './PictureDrawing.tsx';
import { localDay, pngFile, PNG_WIDTHS, svgFile } from './drawnFieldFile.ts';
import { lookOf, type PictureLook } from './pictureLook.ts';
import { usePictureParts } from './usePictureParts.ts';
import styles from './SavePictureDialog.module.css';

/** The field at one moment. */
interface FieldMoment {
  figures: readonly Figure[];
  /** The day in the file's name. */
  at: Date;
  /** Whether gazes are drawn. */
  gazes: boolean;
}

export interface SavePictureDialogProps {
  opened: boolean;
  onClose(): void;
  /** Called once when the dialog opens: a picture does not move. */
  takeMoment(): FieldMoment;
  /** The background; null while it is not known. */
  ground: FieldGround | null;
}

const FORMATS = ['png', 'svg'] as const;
type Format = (typeof FORMATS)[number];
type Width = `${(typeof PNG_WIDTHS)[number]}`;
const [USUAL_WIDTH] = PNG_WIDTHS;

/**
 * The preview is the drawing that becomes the file. Saving is possible once all parts (background, own icons) are
 * loaded.
 */
export function SavePictureDialog({ opened, onClose, ...shown }: SavePictureDialogProps) {
  const { t } = useTranslation('picture');
  const { t: tc } = useTranslation('common');
  return (
    <Dialog opened={opened} onClose={onClose} size={800} title={t('title')} close={tc('close')} closeOnClickOutside>
      <QueryClientProvider client={queryClient}>
        <Choices onClose={onClose} {...shown} />
      </QueryClientProvider>
    </Dialog>
  );
}

function Choices({ onClose, takeMoment, ground }: Omit<SavePictureDialogProps, 'opened'>) {
  const { t } = useTranslation('picture');
  const { t: tc } = useTranslation('common');
  const [moment] = useState(takeMoment);
  const [names, setNames] = useState<Names>('none');
  const [format, setFormat] = useState<Format>('png');
  const [width, setWidth] = useState<Width>(`${USUAL_WIDTH}`);
  const [done, setDone] = useState<{ kind: 'saved'; name: string } | { kind: 'failed' } | null>(null);
  const [busy, setBusy] = useState(false);
  const drawing = useRef<SVGSVGElement>(null);
  const language = currentLanguage();
  const captionOf = useCallback(({ name }: Figure) => captionFor(name, names, language), [names, language]);
  const wordOf = useCallback(({ word }: Pick<Relation, 'word'>) => wordFor(word, names), [names]);
  /** The message about the last file does not apply to other choices. */
  const choosing =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setDone(null);
    };
  const save = async () => {
    if (drawing.current === null) return;
    setBusy(true);
    setDone(null);
    const name = `${t('fileName')}-${localDay(moment.at)}.${format}`;
    try {
      const wide = PNG_WIDTHS.find((each) => String(each) === width) ?? USUAL_WIDTH;
      saveFile(format === 'svg' ? svgFile(drawing.current, USUAL_WIDTH) : await pngFile(drawing.current, wide), name);
      setDone({ kind: 'saved', name });
    } catch {
      setDone({ kind: 'failed' });
    } finally {
      setBusy(false);
    }
  };
  const picture = useFieldPicture(moment, ground);

  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
      <div className={dialog.scroll} tabIndex={0} role="group" aria-label={t('title')}>
        <Preview
          picture={picture}
          ground={ground}
          moment={moment}
          captionOf={captionOf}
          wordOf={wordOf}
          drawing={drawing}
        />
        <p className={styles.hint}>{t('names.hint')}</p>
        <div className={styles.choices}>
          <RadioList
            question={t('names.question')}
            answers={NAMES.map((value) => ({ value, words: t(`names.${value}`) }))}
            value={names}
            onChange={choosing<Names>(setNames)}
          />
          <RadioList
            question={t('format.question')}
            answers={FORMATS.map((value) => ({ value, words: t(`format.${value}`) }))}
            value={format}
            onChange={choosing<Format>(setFormat)}
          />
          <RadioList
            question={t('size.question')}
            answers={PNG_WIDTHS.map((value) => ({ value: `${value}` as Width, words: t(`size.w${value}`) }))}
            value={width}
            onChange={choosing<Width>(setWidth)}
            disabled={format === 'svg'}
            hint={format === 'svg' ? t('size.svg') : null}
          />
        </div>
      </div>
      <div className={dialog.words} role="status">
        {done?.kind === 'saved' ? <Callout tone="done">{t('saved', { name: done.name })}</Callout> : null}
        {done?.kind === 'failed' ? <Callout tone="fault">{t('failed')}</Callout> : null}
      </div>
      <div className={dialog.acts}>
        <p>{t('stays')}</p>
        <Button variant="default" onClick={onClose}>
          {tc('close')}
        </Button>
        <Button
          leftSection={<IconDownload size={20} stroke={1.75} aria-hidden />}
          disabled={picture.state.kind !== 'ready'}
          loading={busy}
          onClick={() => void save()}
        >
          {t('save')}
        </Button>
      </div>
    </>
  );
}

/** The look of the field on this page, and everything that the picture includes. */
function useFieldPicture(moment: FieldMoment, ground: FieldGround | null) {
  const appearance = useAppearance();
  const { scheme, style } = groundLook(ground, appearance.scheme);
  const frame = useRef<HTMLDivElement>(null);
  const [look, setLook] = useState<PictureLook | null>(null);
  const known = ground !== null;
  const color = ground?.color ?? null;
  // Read once the frame has the background's tokens, and again when they change.
  useEffect(() => {
    if (known && frame.current !== null) setLook(lookOf(frame.current, scheme, color !== null));
  }, [known, color, ground?.url, scheme, appearance]);
  const { state, retry } = usePictureParts(moment.figures, ground?.url, look?.field.color ?? null);
  return { frame, look, state, retry, style, scheme: appearance.scheme };
}

interface PreviewProps {
  picture: ReturnType<typeof useFieldPicture>;
  ground: FieldGround | null;
  moment: FieldMoment;
  captionOf(figure: Figure): string;
  wordOf(relation: Pick<Relation, 'word'>): string;
  drawing: Ref<SVGSVGElement>;
}

function Preview({ picture: { frame, look, state, retry, style, scheme }, ground, moment, ...rest }: PreviewProps) {
  const { t } = useTranslation('picture');
  const { t: tc } = useTranslation('common');
  const icons = state.kind === 'ready' ? state.parts.icons : null;
  const figures = useMemo(() => icons && stillFigures(moment.figures, icons), [moment, icons]);
  return (
    <>
      <div className={styles.preview}>
        <div ref={frame} className={still.still} style={style} data-scheme={scheme} data-ground={groundKind(ground)}>
          {look && figures && state.kind === 'ready' ? (
            <div className={styles.drawing} role="img" aria-label={t('preview', { count: figures.length })}>
              <PictureDrawing
                ref={rest.drawing}
                figures={figures}
                captionOf={rest.captionOf}
                wordOf={rest.wordOf}
                gazes={moment.gazes}
                look={look}
                groundUrl={state.parts.groundUrl}
              />
            </div>
          ) : null}
        </div>
        {state.kind === 'loading' ? (
          <div className={styles.bones} role="status" aria-busy="true" aria-label={tc('loading')}>
            <Skeleton height="100%" radius={0} />
          </div>
        ) : null}
      </div>
      {state.kind === 'failed' ? <LoadFault text={t('partsFailed')} retry={tc('tryAgain')} onRetry={retry} /> : null}
    </>
  );
}
