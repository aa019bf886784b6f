/** The parts of choosing and cropping a picture that other features use too. Their words are those of `events`. */
export { ChooseAndCrop } from './choose/ChooseAndCrop.tsx';
export { UploadProgress } from './UploadProgress.tsx';
export { PICTURE_TYPES, type PictureFault, pictureFault } from './choose/chosenPicture.ts';
