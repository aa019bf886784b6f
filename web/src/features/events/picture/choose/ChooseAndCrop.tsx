/** Takes a picture from this device, chosen or dropped, and crops it by hand or keys. The content of a dialog. */
import { IconPhotoPlus } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../../platform/i18n/app.ts';
import { useFileDrop } from '../../../../ui/controls/useFileDrop.ts';
import { Callout } from '../../../../ui/states/Callout.tsx';
import dialog from '../../../../ui/dialogs/Dialog.module.css';
import { CropFrame, type CropFrameProps } from './CropFrame.tsx';
import { PICTURE_TYPES, type PictureFault, pictureFault } from './chosenPicture.ts';
import styles from './EventPictureDialog.module.css';

export interface ChooseAndCropProps extends Pick<CropFrameProps, 'shape' | 'onCropped'> {
  /** What makes a good picture. */
  hint: string;
  /** How it is cropped. */
  cropHint: string;
  /** Called with whether a picture is being cropped, which a press beside the dialog must not discard. */
  onCropping(cropping: boolean): void;
  /** Other choices, below the one of a file. */
  children?: ReactNode;
}

/**
 * Used for pictures of events and of oneself (`shape` `round`). A file that is not a picture or too large is refused in
 * words (docs/product.md#9.18).
 */
export function ChooseAndCrop({ hint, cropHint, shape, onCropping, onCropped, children }: ChooseAndCropProps) {
  const { t } = useTranslation('events');
  const input = useRef<HTMLInputElement>(null);
  /** Address of the file that is being cropped. */
  const [source, setSource] = useState<string | null>(null);
  const [fault, setFault] = useState<PictureFault | null>(null);

  useEffect(() => {
    if (source === null) return undefined;
    return () => URL.revokeObjectURL(source);
  }, [source]);
  const crop = (address: string | null) => {
    setSource(address);
    onCropping(address !== null);
  };
  const take = async (file: File) => {
    const wrong = await pictureFault(file);
    setFault(wrong);
    if (input.current) input.current.value = '';
    if (!wrong) crop(URL.createObjectURL(file));
  };

  return (
    <>
      <p className={dialog.line}>{source ? cropHint : hint}</p>
      {fault ? <Fault fault={fault} /> : null}
      <input
        ref={input}
        type="file"
        hidden
        accept={PICTURE_TYPES.join(',')}
        aria-label={t('picture.choose')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) void take(file);
        }}
      />
      {source ? (
        <CropFrame
          key={source}
          source={source}
          {...(shape ? { shape } : {})}
          onOther={() => crop(null)}
          onCropped={onCropped}
          onUnreadable={() => {
            setFault('image_unreadable');
            crop(null);
          }}
        />
      ) : (
        <>
          <DropButton onChoose={() => input.current?.click()} onFile={(file) => void take(file)} />
          {children}
        </>
      )}
    </>
  );
}

function Fault({ fault }: { fault: PictureFault }) {
  const { t } = useTranslation('events');
  return (
    <div className={styles.fault}>
      <Callout tone="fault" role="alert">
        {sayProblem(`problem.${fault}`)}
        {fault === 'payload_too_large' ? ` ${t('picture.allowed')}` : ''}
      </Callout>
    </div>
  );
}

/** Opens the file picker, and accepts a dropped file. */
function DropButton({ onChoose, onFile }: { onChoose(): void; onFile(file: File): void }) {
  const { t } = useTranslation('events');
  const drop = useFileDrop(onFile);
  return (
    <button type="button" data-autofocus className={styles.drop} onClick={onChoose} {...drop}>
      <IconPhotoPlus size={28} stroke={1.75} aria-hidden />
      <span className={styles.dropName}>{t('picture.choose')}</span>
      <span className={styles.dropHint}>{t('picture.allowed')}</span>
    </button>
  );
}
