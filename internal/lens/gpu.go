package lens

import "strings"

// gpuAliases maps the names that drivers, tools and people give a GPU, cleaned
// of vendor words, to one SKU. A GPU that isn't listed is known by its cleaned
// name.
var gpuAliases = map[string]string{
	"h100-80gb-hbm3": "h100 sxm5 80gb", "h100-sxm5-80gb": "h100 sxm5 80gb", "h100-sxm5": "h100 sxm5 80gb", "h100-sxm": "h100 sxm5 80gb", "h100-sxm-80gb": "h100 sxm5 80gb", "h100-hbm3-80gb": "h100 sxm5 80gb",
	"h100-sxm5-64gb": "h100 sxm5 64gb", "h100-96gb-hbm3": "h100 sxm5 96gb",
	"h100-pcie": "h100 pcie 80gb", "h100-80gb-pcie": "h100 pcie 80gb", "h100-pcie-80gb": "h100 pcie 80gb",
	"h100-nvl": "h100 nvl 94gb", "h100-nvl-94gb": "h100 nvl 94gb",
	"h200": "h200 sxm 141gb", "h200-sxm": "h200 sxm 141gb", "h200-sxm5": "h200 sxm 141gb", "h200-141gb": "h200 sxm 141gb", "h200-sxm-141gb": "h200 sxm 141gb", "h200-141gb-hbm3e": "h200 sxm 141gb",
	"h200-nvl": "h200 nvl 141gb", "h20": "h20 96gb", "h20-96gb": "h20 96gb", "h20-3e": "h20 141gb",
	"gh200-480gb": "gh200 480gb", "gh200": "gh200 480gb",
	"b200": "b200 180gb", "b200-180gb": "b200 180gb", "b200-sxm": "b200 180gb", "b300": "b300 288gb", "gb200": "gb200", "gb300": "gb300",
	"a100-sxm4-40gb": "a100 sxm4 40gb", "a100-sxm-40gb": "a100 sxm4 40gb", "a100-40gb-sxm4": "a100 sxm4 40gb", "a100-40gb-sxm": "a100 sxm4 40gb",
	"a100-sxm4-80gb": "a100 sxm4 80gb", "a100-sxm-80gb": "a100 sxm4 80gb", "a100-80gb-sxm4": "a100 sxm4 80gb", "a100-80gb-sxm": "a100 sxm4 80gb", "a100-sxm-64gb": "a100 sxm4 64gb",
	"a100-pcie-40gb": "a100 pcie 40gb", "a100-40gb-pcie": "a100 pcie 40gb", "a100-pcie-80gb": "a100 pcie 80gb", "a100-80gb-pcie": "a100 pcie 80gb",
	"v100-sxm2-16gb": "v100 sxm2 16gb", "v100m16": "v100 sxm2 16gb", "v100-sxm2-32gb": "v100 sxm2 32gb", "v100m32": "v100 sxm2 32gb", "v100-sxm3-32gb": "v100 sxm3 32gb",
	"v100-pcie-16gb": "v100 pcie 16gb", "v100-pcie-32gb": "v100 pcie 32gb", "v100s-pcie-32gb": "v100s pcie 32gb",
	"p100-pcie-16gb": "p100 pcie 16gb", "p100-sxm2-16gb": "p100 sxm2 16gb",
	"a10g": "a10g 24gb", "a10": "a10 24gb", "a30": "a30 24gb", "a40": "a40 48gb", "l4": "l4 24gb", "l40": "l40 48gb", "l40s": "l40s 48gb", "t4": "t4 16gb",
	"mi300x": "mi300x 192gb", "mi300x-oam": "mi300x 192gb", "mi300x-192gb": "mi300x 192gb", "mi300a": "mi300a 128gb", "mi325x": "mi325x 256gb", "mi325x-oam": "mi325x 256gb", "mi325-oam": "mi325x 256gb",
	"mi350x": "mi350x 288gb", "mi355x": "mi355x 288gb", "mi355x-oam": "mi355x 288gb", "mi250x": "mi250x 128gb", "mi250x-oam": "mi250x 128gb", "mi250x-mi250": "mi250x 128gb", "mi250": "mi250 128gb", "mi210": "mi210 64gb", "mi100": "mi100 32gb",
}

// gpuFamilies are names that say less than a SKU: several different GPUs bear
// them, so they neither equal nor contradict one of their family.
var gpuFamilies = map[string]bool{
	"h100": true, "h100-80gb": true, "a100": true, "a100-80gb": true, "a100-40gb": true, "a100-sxm4": true, "a100-sxm": true, "a100-pcie": true,
	"v100": true, "v100-16gb": true, "v100-32gb": true, "v100-sxm2": true, "v100-pcie": true, "p100": true, "mi300": true, "mi250x-or-mi250": true,
}

// vendorWords say nothing about which GPU it is.
var vendorWords = map[string]bool{
	"nvidia": true, "amd": true, "intel": true, "tesla": true, "geforce": true, "quadro": true, "instinct": true, "radeon": true, "graphics": true, "gpu": true, "tm": true, "r": true, "accelerator": true, "vf": true, "tensor": true, "core": true,
}

// GPU returns the SKU that a GPU's name stands for: the alias table's, or the
// name without vendor words.
func GPU(name string) string {
	cleaned := cleanGPU(name)
	if sku, ok := gpuAliases[cleaned]; ok {
		return sku
	}
	return strings.ReplaceAll(cleaned, "-", " ")
}

// cleanGPU is the name in lower case, without vendor words, its words joined
// by dashes.
func cleanGPU(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.')
	})
	kept := words[:0]
	for _, word := range words {
		if !vendorWords[word] {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, "-")
}

// agreeGPU tells whether two names are of one SKU. A family's name beside one
// of its SKUs leaves it open.
func agreeGPU(a, b string) Agreement {
	if GPU(a) == GPU(b) {
		return Equal
	}
	left, right := cleanGPU(a), cleanGPU(b)
	if gpuFamilies[left] && inFamily(right, left) || gpuFamilies[right] && inFamily(left, right) {
		return Undecided
	}
	return Unequal
}

// inFamily reports whether every word of a family's name is in the other name
// or in the SKU it stands for.
func inFamily(name, family string) bool {
	words := strings.Fields(strings.ReplaceAll(name, "-", " ") + " " + GPU(name))
	for word := range strings.SplitSeq(family, "-") {
		found := false
		for _, w := range words {
			found = found || w == word || word == "mi300" && strings.HasPrefix(w, word) || strings.HasPrefix(w, word) && (word == "sxm")
		}
		if !found {
			return false
		}
	}
	return true
}
