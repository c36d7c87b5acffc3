# SPDX-License-Identifier: Apache-2.0
"""Tests of the image builder. They need no packages, no network and no root."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.append(str(Path(__file__).resolve().parents[1] / "devcluster"))

import build_images
import images
import operator_layer
import package_layers
import recipes
import slurm_root
import system_layer
from package_layers import PackageLayer

DOCKERFILE = recipes.LISTS / "Dockerfile"
LDD = """\tlinux-vdso.so.1 (0x00007ffd)
\tlibfmt.so.9 => /lib/x86_64-linux-gnu/libfmt.so.9 (0x00007f01)
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f02)
\t/lib64/ld-linux-x86-64.so.2 (0x00007f03)
"""


def entries(layer):
    with tarfile.open(fileobj=io.BytesIO(layer.data), mode="r:gz") as files:
        return {entry.name: (entry, files.extractfile(entry).read() if entry.isfile() else b"") for entry in files}


class InTemporaryFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def file(self, path, text=""):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)
        return self.root / path


class Recipes(unittest.TestCase):
    def test_comments_and_empty_lines_are_ignored(self):
        self.assertEqual(recipes.packages("# x: y\n\nbase: bash dash\nslurm: slurmd\n"),
                         {"base": ("bash", "dash"), "slurm": ("slurmd",)})

    def test_every_layer_of_an_image_has_a_package_list_and_stands_on_all_layers_before_it(self):
        layers = list(recipes.packages())
        for name, recipe in recipes.RECIPES.items():
            self.assertEqual(list(recipe.layers), layers[:len(recipe.layers)], name)

    def test_no_package_is_listed_twice(self):
        names = [name for packages in recipes.packages().values() for name in packages]
        self.assertEqual(len(names), len(set(names)))

    def test_users_have_the_numbers_that_pods_use(self):
        self.assertEqual({user.name: user.number for user in recipes.users()},
                         {"slurm": 64030, "slurmrest": 64031, "munge": 64032, "mysql": 64033, "sshd": 64034, "nonroot": 65532})
        self.assertEqual(recipes.NONROOT, "65532:65532")


class Dockerfile(unittest.TestCase):
    """The Dockerfile builds the same images from the same lists."""

    def setUp(self):
        self.stages = dict(re.findall(r"(?ms)^FROM \S+ AS (\S+)$(.*?)(?=^FROM |\Z)", DOCKERFILE.read_text()))
        self.parents = {name: parent for parent, name in re.findall(r"(?m)^FROM (\S+) AS (\S+)$", DOCKERFILE.read_text())}

    def lineage(self, stage):
        return [*self.lineage(self.parents[stage]), stage] if stage in self.parents else []

    def text(self, image):
        return "".join(self.stages[stage] for stage in self.lineage(image))

    def test_each_image_installs_exactly_the_packages_of_its_layers(self):
        for name, recipe in recipes.RECIPES.items():
            installed = re.findall(r"/lists/install-layer (\w+)", self.text(name))
            self.assertEqual([self.installed_by(layer) for layer in installed],
                             [list(recipes.packages()[layer]) for layer in recipe.layers], name)
            self.assertNotIn("apt-get", self.text(name))

    def installed_by(self, layer):
        """The packages that the script installs, with an apt-get that only prints its arguments."""
        with tempfile.TemporaryDirectory() as folder:
            fake = Path(folder) / "apt-get"
            fake.write_text("#!/bin/sh\necho \"$@\"\n")
            fake.chmod(0o755)
            printed = subprocess.run([recipes.LISTS / "install-layer", layer], stdout=subprocess.PIPE, text=True, check=True,
                                     env={"PATH": f"{folder}:{os.defpath}"}).stdout
        return printed.splitlines()[-1].split(" install ")[1].split()

    def test_the_operator_is_in_the_same_images(self):
        for name, recipe in recipes.RECIPES.items():
            self.assertEqual("\nCOPY --from=build /out /\n" in self.text(name), recipe.operator, name)

    def test_user_and_entry_point_are_the_same(self):
        text = self.stages["slurm-operator"]
        recipe = recipes.RECIPES["slurm-operator"]
        self.assertIn(f"\nUSER {recipe.user}\n", text)
        self.assertIn(f"\nENTRYPOINT {json.dumps(list(recipe.entrypoint))}\n", text)

    def test_preferences_pin_what_the_dev_cluster_pins(self):
        text = (recipes.LISTS / "preferences").read_text()
        pinned = dict(re.findall(r"(?m)^Package: (.*)\nPin: release n=(\w+)\nPin-Priority: 1001$", text))
        self.assertEqual(pinned, slurm_root.PINS)


class PackageRoots(InTemporaryFolder):
    def test_alternatives_are_linked_in_the_layer_that_has_the_program(self):
        self.file("debs.lock", "slurmd 26.05 amd64\n")
        self.file("usr/sbin/slurmd-wlm")
        package_layers.finish_root(self.root)
        self.assertEqual(os.readlink(self.root / "usr/sbin/slurmd"), "slurmd-wlm")
        self.assertFalse((self.root / "usr/sbin/slurmctld").is_symlink())

    def test_folders_of_base_files_are_replaced_by_links(self):
        self.file("debs.lock")
        (self.root / "var/run").mkdir(parents=True)
        package_layers.finish_root(self.root)
        self.assertEqual(os.readlink(self.root / "var/run"), "/run")
        self.assertFalse((self.root / "var/lock").is_symlink())

    def test_certificates_are_in_one_file(self):
        self.file("debs.lock")
        for name in "ba":
            self.file(f"usr/share/ca-certificates/mozilla/{name}.crt", f"{name}\n")
        package_layers.finish_root(self.root)
        self.assertEqual((self.root / package_layers.CERTIFICATES).read_text(), "a\nb\n")

    def test_the_list_of_packages_stays_in_the_image(self):
        self.file("debs.lock", "bash 5 amd64\n")
        package_layers.finish_root(self.root)
        self.assertEqual((self.root / "usr/share/packages" / self.root.name).read_text(), "bash 5 amd64\n")
        self.assertFalse((self.root / "debs.lock").exists())


class SystemLayer(unittest.TestCase):
    def setUp(self):
        self.entries = entries(system_layer.layer())

    def text(self, path):
        return self.entries[path][1].decode()

    def test_every_account_is_in_passwd_group_and_shadow(self):
        self.assertIn("slurm:x:64030:64030::/var/lib/slurm:", self.text("etc/passwd"))
        self.assertIn("slurm:x:64030:\n", self.text("etc/group"))
        names = [line.split(":")[0] for line in self.text("etc/passwd").splitlines()]
        self.assertEqual([line.split(":")[0] for line in self.text("etc/shadow").splitlines()], names)

    def test_no_account_has_a_password_and_shadow_is_not_readable_for_everyone(self):
        self.assertEqual({line.split(":")[1] for line in self.text("etc/shadow").splitlines()}, {"*"})
        self.assertEqual(self.entries["etc/shadow"][0].mode, 0o640)

    def test_users_of_a_cluster_are_found_in_extrausers(self):
        self.assertIn("passwd: files extrausers\ngroup: files extrausers\nshadow: files\nhosts: files dns\n",
                      self.text("etc/nsswitch.conf"))

    def test_modes_do_not_depend_on_the_umask(self):
        before = os.umask(0o077)
        self.addCleanup(os.umask, before)
        self.assertEqual(system_layer.layer().diff_id, self.layer_with(0o000))
        self.assertEqual(self.entries["tmp"][0].mode, 0o1777)

    def layer_with(self, umask):
        os.umask(umask)
        return system_layer.layer().diff_id


class OperatorLayer(InTemporaryFolder):
    def test_libraries_are_read_from_ldd(self):
        self.assertEqual(list(operator_layer.parse_ldd(LDD)), ["libfmt.so.9", "libc.so.6"])

    def test_a_missing_library_is_an_error(self):
        with self.assertRaisesRegex(operator_layer.UnusableProgram, "libfmt.so.9"):
            operator_layer.parse_ldd("\tlibfmt.so.9 => not found\n")

    def test_libraries_of_the_layers_below_are_not_added(self):
        program, library = self.file("program"), self.file("libfmt.so.9")
        with mock.patch.object(operator_layer, "shared_libraries", return_value={"libfmt.so.9": library, "libc.so.6": library}):
            found = entries(operator_layer.layer(program, {"libc.so.6"}))
        self.assertEqual([name for name, (entry, _) in found.items() if not entry.isdir()],
                         ["usr/bin/slurm-operator", "usr/bin/slurm_operator",
                          f"usr/lib/{operator_layer.triplet()}/libfmt.so.9"])

    def test_a_program_that_is_not_built_is_named_with_the_command_that_builds_it(self):
        with self.assertRaisesRegex(operator_layer.UnusableProgram, "tools/build release slurm-operator"):
            operator_layer.shared_libraries(self.root / "slurm-operator")


class Building(InTemporaryFolder):
    def setUp(self):
        super().setUp()
        layers = {name: PackageLayer(images.layer_of_files({f"{name}.txt": self.file(name, name)}), frozenset())
                  for name in recipes.packages()}
        patched = mock.patch.object(package_layers, "fetch", return_value=layers)
        self.fetch = patched.start()
        self.addCleanup(patched.stop)
        patched = mock.patch.object(operator_layer, "shared_libraries", return_value={})
        patched.start()
        self.addCleanup(patched.stop)
        self.program = self.file("program", "1")

    def build(self, *names):
        with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(io.StringIO()):
            code = build_images.main(["--out", str(self.root / "out"), "--operator", str(self.program), *names])
        self.assertEqual(code, 0)
        return list(map(Path, printed.getvalue().splitlines()))

    def config(self, archive):
        with tarfile.open(archive) as files:
            read = lambda digest: json.loads(files.extractfile(f"blobs/{digest.replace(':', '/')}").read())
            index = json.loads(files.extractfile("index.json").read())
            manifest = read(index["manifests"][0]["digest"])
            return index["manifests"][0]["annotations"]["io.containerd.image.name"], read(manifest["config"]["digest"])

    def test_the_paths_of_all_archives_are_printed(self):
        self.assertEqual([path.name for path in self.build()], ["slurm.tar", "slurm-db.tar", "slurm-operator.tar"])
        self.assertEqual(self.fetch.call_count, 1)

    def test_only_the_named_images_are_built(self):
        self.assertEqual([path.name for path in self.build("slurm-db")], ["slurm-db.tar"])

    def test_the_operator_does_not_run_as_root(self):
        reference, config = self.config(self.build("slurm-operator")[0])
        self.assertEqual((reference, config["config"]["User"], config["config"]["Entrypoint"]),
                         ("localhost/slurm-operator:dev", "65532:65532", ["/usr/bin/slurm-operator"]))

    def test_a_new_program_changes_only_the_last_layer(self):
        _, before = self.config(self.build("slurm")[0])
        self.program.write_text("2")
        _, after = self.config(self.build("slurm")[0])
        ids = [config["rootfs"]["diff_ids"] for config in (before, after)]
        self.assertEqual(ids[0][:-1], ids[1][:-1])
        self.assertNotEqual(ids[0][-1], ids[1][-1])

    def test_images_share_their_lower_layers(self):
        slurm, database, operator = (self.config(archive)[1]["rootfs"]["diff_ids"] for archive in self.build())
        self.assertEqual((slurm[0], slurm[1]), (database[0], database[1]))
        self.assertEqual(slurm[0], operator[0])

    def test_an_unknown_image_is_wrong_usage(self):
        with contextlib.redirect_stderr(io.StringIO()) as printed, self.assertRaises(SystemExit) as ended:
            build_images.main(["nothing"])
        self.assertEqual(ended.exception.code, 2)
        self.assertIn("there are: slurm, slurm-db, slurm-operator", printed.getvalue())


if __name__ == "__main__":
    unittest.main()
