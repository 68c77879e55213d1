package expected

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
)

// zipped packs a folder, files in order of their names.
func zipped(folder string) ([]byte, error) {
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		into, err := archive.Create(path)
		if err != nil {
			return err
		}
		_, err = into.Write(content)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("packing %s: %w", folder, err)
	}
	if err := archive.Close(); err != nil {
		return nil, fmt.Errorf("packing %s: %w", folder, err)
	}
	return packed.Bytes(), nil
}
