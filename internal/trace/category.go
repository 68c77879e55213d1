package trace

import "strings"

// Category is what kind of activity a span records, whatever the spelling of
// the profiler version that wrote it.
type Category uint8

// The categories that figures tell apart. Uncategorised spans bear no category
// at all; Unrecognised ones bear one that no figure uses.
const (
	Uncategorised Category = iota
	Unrecognised
	Operator
	Annotation
	DeviceAnnotation
	Kernel
	Memcpy
	Memset
	Runtime
	PythonFunction
	Synchronisation
	Overhead
	WholeCapture
	CPUInstant
)

// spellings maps the lower-case category texts of kineto, old and new, to
// categories. The mtia, xpu and privateuse1 names are its other devices.
var spellings = map[string]Category{
	"":                     Uncategorised,
	"cpu_op":               Operator,
	"operator":             Operator,
	"user_annotation":      Annotation,
	"gpu_user_annotation":  DeviceAnnotation,
	"kernel":               Kernel,
	"mtia_ccp_events":      Kernel,
	"gpu_memcpy":           Memcpy,
	"memcpy":               Memcpy,
	"gpu_memset":           Memset,
	"memset":               Memset,
	"cuda_runtime":         Runtime,
	"cuda_driver":          Runtime,
	"runtime":              Runtime,
	"xpu_runtime":          Runtime,
	"xpu_driver":           Runtime,
	"privateuse1_runtime":  Runtime,
	"privateuse1_driver":   Runtime,
	"mtia_runtime":         Runtime,
	"python_function":      PythonFunction,
	"python":               PythonFunction,
	"cuda_sync":            Synchronisation,
	"xpu_sync":             Synchronisation,
	"overhead":             Overhead,
	"trace":                WholeCapture,
	"cpu_instant_event":    CPUInstant,
	"cuda_profiler_range":  Unrecognised,
	"external_correlation": Unrecognised,
	"hardware_counters":    Unrecognised,
	"collective_comm":      Unrecognised,
	"hpu_op":               Unrecognised,
	"mtia_insight":         Unrecognised,
	"glow_runtime":         Unrecognised,
	"cuda_event":           Unrecognised,
	"xpu_scope_profiler":   Unrecognised,
	"mtia_counters":        Unrecognised,
	"async":                Unrecognised,
	"async_gpu":            Unrecognised,
	"async_cpu_to_gpu":     Unrecognised,
	"ac2g":                 Unrecognised,
	"fwdbwd":               Unrecognised,
	"__metadata":           Unrecognised,
}

// ParseCategory reads a category as a profiler spells it, without regard to
// case. known is false for a text that no profiler version is known to write.
func ParseCategory(text string) (category Category, known bool) {
	category, known = spellings[strings.ToLower(text)]
	if !known {
		return Unrecognised, false
	}
	return category, true
}

// OnDevice reports whether a span of the category is work done by a GPU (or a
// device in its place): a kernel, a copy or a memory fill. Annotations drawn
// on the device's rows are not work.
func (c Category) OnDevice() bool {
	return c == Kernel || c == Memcpy || c == Memset
}

var categoryNames = [...]string{"uncategorised", "unrecognised", "operator", "annotation", "gpu_annotation", "kernel", "memcpy", "memset", "runtime", "python_function", "synchronisation", "overhead", "whole_capture", "cpu_instant"}

// String is the category's name in answers and in the stored parsed form.
func (c Category) String() string {
	if int(c) < len(categoryNames) {
		return categoryNames[c]
	}
	return categoryNames[Unrecognised]
}
