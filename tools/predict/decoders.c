/* SPDX-License-Identifier: Apache-2.0
 * decoders.c - the table of decoders. */
#include "predict/decoders.h"

/* clang-format off */
#define PARTS(...) (const decoder_part[]){__VA_ARGS__, {0}}

static const decoder decoders[] = {
    /* ---- detectors of the YOLO family ---- */
    {"yolov3", "Yolov3", "YOLOv3 of onnx/models: [1,places,4], [1,classes,places], [n,3]", "yolo",
     PARTS({"1,?,4"}, {"1,?,?"}, {"?,3"}), .counts = {1, 1, 0}},
    {"yolov5", "Yolov5", "YOLOv5, YOLOv6, YOLOv7: [1,places,5+classes]", "yolo",
     PARTS({"1,A3,6+"}), .unless = "1,32,H,W", .counts = {0, 2, 5}},
    {"yolov5-seg", "Yolov5Segment", "their masks: [1,places,5+classes+32], [1,32,h,w]", "yolo",
     PARTS({"1,A3,38+"}, {"1,32,H,W"}), .counts = {0, 2, 37}},
    {"yolov6", "Yolov5", "YOLOv6: [1,places,5+classes]", "yolo",
     PARTS({"1,A,6+"}), .only_named = true, .counts = {0, 2, 5}},
    {"yolov7-end2end", "Yolov7EndToEnd", "YOLOv7 with its suppression: [n,7]", "yolo",
     PARTS({"N,7"})},
    {"yolov8", "Yolov8", "YOLOv8, YOLOv9, YOLO11, YOLO12: [1,4+classes,places]", "yolo",
     PARTS({"1,5+,A"}), .unless = "1,32,H,W", .counts = {0, 1, 4}},
    {"yolov8-seg", "Yolov8Segment", "their masks: [1,4+classes+32,places], [1,32,h,w]", "yolo",
     PARTS({"1,37+,A"}, {"1,32,H,W"}), .counts = {0, 1, 36}},
    {"yolov8-pose", "Yolov8Pose", "their points: [1,4+classes+3*points,places]", "yolo",
     PARTS({"1,8+,A"}), .only_named = true},
    {"yolov8-obb", "Yolov8Rotated", "their rotated boxes: [1,4+classes+1,places]", "yolo",
     PARTS({"1,6+,A"}), .only_named = true, .counts = {0, 1, 5}},
    {"end2end", "EndToEnd", "YOLOv10, YOLO26, exports with nms: [1,n,6]", "yolo", PARTS({"1,R,6"})},
    {"end2end-seg", "EndToEndSegment", "with masks: [1,n,6+32], [1,32,h,w]", "yolo",
     PARTS({"1,R,38"}, {"1,32,H,W"})},
    {"end2end-pose", "EndToEndPose", "with points: [1,n,6+3*points]", "yolo",
     PARTS({"1,R,R"}), .only_named = true},
    {"end2end-obb", "EndToEndRotated", "with rotated boxes: [1,n,7]", "yolo",
     PARTS({"1,R,7"}), .only_named = true},
    {"yolox", "Yolox", "YOLOX: [1,places,5+classes]", "yolox", PARTS({"1,X,6+"}), .counts = {0, 2, 5}},
    {"nanodet", "NanoDet", "NanoDet-Plus: [1,places,classes+32]", "nanodet", PARTS({"1,P,33+"}), .counts = {0, 2, 32}},
    {"nanodet-parts", "NanoDetParts", "NanoDet: scores and distances of three grids",
     "nanodet-fit",
     PARTS({"1,C8,?", "cls_pred_stride_8"}, {"1,C16,?", "cls_pred_stride_16"},
      {"1,C32,?", "cls_pred_stride_32"}, {"1,C8,?", "dis_pred_stride_8"},
      {"1,C16,?", "dis_pred_stride_16"}, {"1,C32,?", "dis_pred_stride_32"}), .counts = {0, 2, 0}},
    {"boxes", "BoxesAndScores", "YOLO-NAS, DAMO-YOLO: [1,places,4], [1,places,classes]", "stretch",
     PARTS({"1,A,4"}, {"1,A,?"}), .unless = "1,?,2", .counts = {1, 2, 0}},

    /* ---- DETR ---- */
    {"detr", "Detr", "DETR, YOLOS (softmax): logits [1,q,classes+1], boxes [1,q,4]", "detr",
     PARTS({"1,R,?", "logits|pred_logits"}, {"1,R,4", "pred_boxes|boxes"}), .counts = {0, 2, 1}},
    {"rf-detr", "RfDetr", "RF-DETR, Deformable DETR (sigmoid): logits [1,q,classes], boxes [1,q,4]",
     "detr", PARTS({"1,R,?", "logits|pred_logits|labels"}, {"1,R,4", "pred_boxes|boxes|dets"})},
    {"rf-detr-seg", "RfDetrSegment", "their masks: [1,q,h,w]", "detr",
     PARTS({"1,R,?", "logits|pred_logits|labels"}, {"1,R,4", "pred_boxes|boxes|dets"},
           {"1,R,H,W"})},
    {"ultralytics-detr", "UltralyticsDetr", "RT-DETR of Ultralytics: [1,300,4+classes]", "stretch",
     PARTS({"1,300,5+"}), .only_named = true, .counts = {0, 2, 4}},
    {"rt-detr", "RtDetr", "RT-DETR, D-FINE, DEIM: labels [1,q], boxes [1,q,4], scores [1,q]",
     "stretch", PARTS({"1,R", "labels"}, {"1,R,4", "boxes"}, {"1,R", "scores"})},

    /* ---- lists of objects ---- */
    {"tf-ssd", "TfSsd", "TensorFlow's: boxes [1,n,4], classes [1,n], scores [1,n], number [1]",
     "bytes",
     PARTS({"1,?,4", "detection_boxes"}, {"1,?", "detection_classes"}, {"1,?", "detection_scores"},
      {"1", "num_detections"})},
    {"mmdet", "MmDetection", "MMDeploy: dets [1,n,5], labels [1,n]", "mmdet",
     PARTS({"1,?,5", "dets"}, {"1,?", "labels"}), .unless = "1,?,?,?"},
    {"mmdet-seg", "MmDetectionMasks", "with masks that cover the input: [1,n,h,w]", "mmdet",
     PARTS({"1,?,5", "dets"}, {"1,?", "labels"}, {"1,?,H,W", "masks"})},
    {"mmdet-crops", "MmDetectionCrops", "with masks that cover their boxes: [1,n,28,28]", "mmdet",
     PARTS({"1,?,5", "dets"}, {"1,?", "labels"}, {"1,?,28,28", "masks"})},
    {"paddle", "PaddleDetection", "PaddleDetection: rows [n,6], their number [1]",
     "imagenet-stretch", PARTS({"?,6"}, {"1"})},
    {"torchvision", "Torchvision", "torchvision: boxes [n,4], labels [n], scores [n]", "stretch",
     PARTS({"?,4"}, {"?", .type = 'i'}, {"?", .type = 'f'}), .unless = "?,?,?,?"},
    {"torchvision-seg", "TorchvisionMasks", "with masks: [n,1,h,w]", "stretch",
     PARTS({"?,4"}, {"?", .type = 'i'}, {"?", .type = 'f'}, {"?,1,H,W"})},
    {"torchvision-pose", "TorchvisionPoints", "with points: [n,k,3], [n,k]", "stretch",
     PARTS({"?,4"}, {"?", .type = 'i'}, {"?", .type = 'f'}, {"?,?,3"}, {"?,?"})},

    /* ---- faces, hands, persons ---- */
    {"blazeface", "BlazeFace", "MediaPipe's faces of short range: [1,896,16], [1,896,1]",
     "blazeface", PARTS({"1,896,16"}, {"1,896,1"}), .labels = "face"},
    {"blazeface-full", "BlazeFaceFull", "of full range: [1,2304,16], [1,2304,1]", "blazeface",
     PARTS({"1,2304,16"}, {"1,2304,1"}), .labels = "face"},
    {"blazepalm", "BlazePalm", "MediaPipe's palms: [1,2016,18], [1,2016,1]", "mediapipe",
     PARTS({"1,2016,18"}, {"1,2016,1"}), .labels = "palm"},
    {"blazepose", "BlazePose", "MediaPipe's persons: [1,2254,12], [1,2254,1]", "blazeface",
     PARTS({"1,2254,12"}, {"1,2254,1"}), .labels = "person"},
    {"blazepose-128", "BlazeFace", "of inputs of 128 x 128: [1,896,12], [1,896,1]", "blazeface",
     PARTS({"1,896,12"}, {"1,896,1"}), .labels = "person"},
    {"blazeface-parts", "BlazeFaceParts", "with two grids: [1,512,1], [1,384,1], [1,512,16] ...",
     "blazeface", PARTS({"1,512,1"}, {"1,384,1"}, {"1,512,16"}, {"1,384,16"}),
     .labels = "face"},
    {"yunet", "YuNet", "YuNet: cls_8 to kps_32", "yunet",
     PARTS({"1,?,1", "cls_8"}, {"1,?,1", "cls_16"}, {"1,?,1", "cls_32"}, {"1,?,1", "obj_8"},
      {"1,?,1", "obj_16"}, {"1,?,1", "obj_32"}, {"1,?,4", "bbox_8"}, {"1,?,4", "bbox_16"},
      {"1,?,4", "bbox_32"}, {"1,?,10", "kps_8"}, {"1,?,10", "kps_16"}, {"1,?,10", "kps_32"}),
     .labels = "face"},
    {"yunet-priors", "YuNetPriors", "YuNet of 2021 and 2022: [places,14], [places,2], [places,1]",
     "yunet", PARTS({"?,14"}, {"?,2"}, {"?,1"}), .labels = "face"},
    {"scrfd", "Scrfd", "SCRFD: scores, boxes and points of three grids", "scrfd",
     PARTS({"1,S8,1|S8,1"}, {"1,S16,1|S16,1"}, {"1,S32,1|S32,1"}, {"1,S8,4|S8,4"},
           {"1,S16,4|S16,4"},
      {"1,S32,4|S32,4"}, {"1,S8,10|S8,10"}, {"1,S16,10|S16,10"}, {"1,S32,10|S32,10"}),
     .labels = "face"},
    {"ultraface", "UltraFace", "UltraFace: scores [1,places,2], boxes [1,places,4]", "ultraface",
     PARTS({"1,?,2", "scores"}, {"1,?,4", "boxes"}), .op = "Exp", .labels = "face"},
    {"ultraface-raw", "UltraFaceRaw", "without its last step, which has an Exp", "ultraface",
     PARTS({"1,?,2", "scores"}, {"1,?,4", "boxes"}), .no_op = "Exp", .labels = "face"},
    {"retinaface", "RetinaFace", "RetinaFace: [1,places,4], [1,places,2], [1,places,10]",
     "retinaface", PARTS({"1,?,4|?,4"}, {"1,?,2|?,2"}, {"1,?,10|?,10"}), .labels = "face"},
    {"retinaface-plate", "RetinaFace", "with four corners of number plates: [1,places,8]",
     "retinaface", PARTS({"1,?,4|?,4"}, {"1,?,2|?,2"}, {"1,?,8|?,8"}), .labels = "plate"},
    {"movenet", "MoveNet", "MoveNet: [1,1,17,3]", "movenet", PARTS({"1,1,17,3"})},
    {"movenet-multi", "MoveNetMulti", "MoveNet for several persons: [1,6,56]", "movenet",
     PARTS({"1,?,56"}), .labels = "person"},
    {"heatmaps", "HeatMaps", "a map for each point (HRNet, SimpleBaseline): [1,points,h,w]",
     "imagenet-stretch", PARTS({"1,2+,H,W"}), .only_named = true},
    {"simcc", "SimCc", "RTMPose: [1,points,2*width], [1,points,2*height]", "imagenet-stretch",
     PARTS({"1,?,?", "simcc_x"}, {"1,?,?", "simcc_y"})},

    /* ---- classes, grids, text ---- */
    {"classify", "Classify", "a score for each class: [1,classes]", "imagenet",
     PARTS({"1,2+"}), .unless = "?", .classes = 1, .counts = {0, 1, 0}},
    {"landmarks", "Landmarks", "points of x, y, z in pixels: MediaPipe's face mesh, [1,1404]",
     "mediapipe", PARTS({"1,M3|1,1,1,M3|1,?,3"}), .sure = "1,1404|1,1,1,1404|1,1434|1,1,1,1434"},
    {"landmarks-hand", "Landmarks", "its hand: [1,63]", "mediapipe",
     PARTS({"1,63", "Identity|ld_21_3d|xyz_x21"})},
    {"landmarks-pose", "Landmarks", "its person, of five numbers: [1,195]", "mediapipe",
     PARTS({"1,195|1,1,1,195|1,165|1,1,1,165"}),
     .attributes = "step: int = 5, confidence: int = 3"},
    {"landmarks-eye", "Landmarks", "its eye and brow: [1,213]", "mediapipe",
     PARTS({"1,213"}), .only_named = true},
    {"landmarks-iris", "Landmarks", "the iris beside them: [1,15]", "mediapipe",
     PARTS({"1,15"}), .only_named = true},
    {"landmarks-xy", "Landmarks", "x and y as shares of the sides: PFLD", "stretch",
     PARTS({"1,M2|1,?,2"}), .attributes = "step: int = 2, relative: int = 1", .only_named = true},
    {"openseeface", "OpenSeeFace", "OpenSeeFace's landmarks: [1,198,28,28]", "imagenet-stretch",
     PARTS({"1,198,28,28"})},
    {"mask", "ClassMap", "scores of classes for each pixel: [1,classes,h,w]", "imagenet-stretch",
     PARTS({"1,2+,H,W"}), .sure = "1,5+,H,W", .classes = 1, .counts = {0, 1, 0}},
    {"mask-last", "ClassMapLast", "with the classes last: [1,h,w,classes]", "stretch",
     PARTS({"1,H,W,2+"}), .classes = 3, .counts = {0, 3, 0}},
    {"mask-indices", "ClassIndices", "the class of each pixel: [1,h,w], [1,1,h,w]",
     "imagenet-stretch", PARTS({"1,H,W|1,1,H,W"}), .only_named = true},
    {"foreground", "Foreground", "one class: [1,1,h,w]", "imagenet-stretch", PARTS({"1,1,H,W"}),
     .only_named = true, .labels = "background|foreground"},
    {"depth", "Depth", "depth: [1,h,w], [1,1,h,w]", "imagenet-stretch",
     PARTS({"1,H,W|1,1,H,W"}), .only_named = true},
    {"flow", "Flow", "optical flow: [1,2,h,w]", "stretch",
     PARTS({"1,2,H,W"}), .two = true, .last = true},
    {"db-text", "DbText", "lines of text on a page, PP-OCR: [1,1,h,w]", "ocr", PARTS({"1,1,H,W"}),
     .only_named = true, .labels = "text"},
    {"ctc", "Ctc", "a line of text: [1,t,characters]", "ocr-line",
     PARTS({"1,?,3+"}), .only_named = true, .counts = {0, -1, 1}},
    {"ctc-columns", "CtcColumns", "LPRNet: [1,characters,t]", "lprnet", PARTS({"1,3+,?|3+,?"}),
     .only_named = true, .counts = {0, -2, 1}},
};
/* clang-format on */

enum { N_DECODERS = sizeof decoders / sizeof *decoders };

const decoder *decoder_at(int i)
{
    return i < N_DECODERS ? &decoders[i] : NULL;
}

const decoder *decoder_find(const char *name)
{
    for (int i = 0; i < N_DECODERS; i++)
        if (strcmp(decoders[i].name, name) == 0)
            return &decoders[i];
    return NULL;
}

int64_t decoder_n_classes(const decoder *d, const outline *o, const int out[DECODER_PARTS])
{
    const int less = d->counts[2];
    const oc_port *p = d->counts[1] ? &o->out[out[d->counts[0]]] : NULL;
    const int axis = p && d->counts[1] < 0 ? p->rank + d->counts[1] : d->counts[1];
    return p && axis >= 0 && axis < p->rank && p->dim[axis] > less ? p->dim[axis] - less : -1;
}

int decoder_n_parts(const decoder *d)
{
    int n = 0;
    while (d->part[n].dims)
        n++;
    return n;
}
